import type { Command } from "commander";
import type { ListFlags } from "./audit-list.ts";
import type { ProvisionFlags } from "./audit-provision.ts";
import type { AuditRunFlags } from "./audit-run.ts";
import type { StoreFlags } from "./audit-store.ts";
import type { TraceFlags } from "./audit-trace.ts";
import type { VerifyFlags } from "./audit-verify.ts";
import type { CommandContext } from "./commands-asking.ts";
import { wholeNumber, widthOption, withConnection } from "./flags.ts";
import type { WatchFlags } from "./watch.ts";

/** Adds `audit` with all its commands. Their modules are loaded when they run. */
export function addAudit(context: CommandContext): void {
  const audit = context.program.command("audit").description("Keeps records, and shows them.");
  addRun(audit, context);
  addProvision(audit, context);
  addList(audit, context);
  addTrace(audit, context);
  addVerify(audit, context);
  addGaps(audit, context);
  addDeadLetters(audit, context);
}

/** Adds the flags that say which store is looked at, and how it is shown. */
function withStore(command: Command): Command {
  return command
    .option("--data <dir>", "data folder [ASKFABRIC_DATA]")
    .option("--store <path>", "SQLite file; audit/records.sqlite of the data folder when absent")
    .option("--json", "print JSON lines")
    .addOption(widthOption());
}

function addList(audit: Command, { io, setCode }: CommandContext): void {
  withStore(audit.command("list"))
    .description("Shows records in the order they came: the newest ones, or all.")
    .option("--session <id>", "records of this session")
    .option("--request <id>", "records of this ask, by its id or the one it had on the wire")
    .option("--tool-call <id>", "records of this tool call, by the id its host gave it")
    .option("--kind <kind>", "review, ui_prompt or decision")
    .option("--event <name>", "review entries of this event")
    .option("--since <time>", "2026-01-31T12:00:00Z, or a span back such as 15m, 2h, 7d")
    .option("--until <time>", "the same")
    .option("--limit <n>", "so many of the newest", wholeNumber(1, 100_000), 50)
    .option("--all", "all of them instead")
    .addHelpText(
      "after",
      `
Times are those of each session's own clock. The store is read beside whoever writes to it.

Examples:
  askfabric audit list --session worker --since 1h
  askfabric audit list --kind decision --all --json`,
    )
    .action(async (flags: ListFlags) => {
      const { runList } = await import("./audit-list.ts");
      setCode(await runList(flags, io));
    });
}

function addTrace(audit: Command, { io, setCode }: CommandContext): void {
  withStore(audit.command("trace"))
    .argument("<id>", "request id, the id it had on the wire, or the host's id of the tool call")
    .description("Tells one ask's story over all sessions that took part, in the order of cause.")
    .option("--session <id>", "asks of a tool call in which this session took part")
    .option("--since <time>", "asks of a tool call from then on; as in audit list")
    .option("--until <time>", "the same")
    .option("--limit <n>", "so many asks of a tool call", wholeNumber(1, 1_000_000), 100)
    .addHelpText(
      "after",
      `
Each line says when it happened by the asking session's clock, how long after the step that caused it, where, and
what. Clocks that differ by more than can be explained by the way of the messages are corrected, and named at the end.
A tool call may have raised many asks: the first are told, and how many there are. Exit code 1 when the store has
no record of it.

Examples:
  askfabric audit trace perm-4e8043aa-6695-439a-8e2c-60528a3ad533
  askfabric audit trace toolu_01A2 --json`,
    )
    .action(async (id: string, flags: TraceFlags) => {
      const { runTrace } = await import("./audit-trace.ts");
      setCode(await runTrace(id, flags, io));
    });
}

function addVerify(audit: Command, { io, setCode }: CommandContext): void {
  withStore(audit.command("verify"))
    .description(
      "Checks that nothing was changed, left out or added between the first and the last record of each session.",
    )
    .option("--session <id>", "this session alone")
    .addHelpText(
      "after",
      `
Every header must point at the one before it, every body must be the one its header was made for, no number may
be missing or there twice. Each fault is named with its session and number; exit code 1 then. So is a message that
was set aside and is not as it came, and what was removed without a record behind it that points at it, by its place
in the store. Whoever can also change the store's own count hides that: compare lastN and hash of --json with what
you kept elsewhere.

Example:
  askfabric audit verify`,
    )
    .action(async (flags: VerifyFlags) => {
      const { runVerify } = await import("./audit-verify.ts");
      setCode(await runVerify(flags, io));
    });
}

function addGaps(audit: Command, { io, setCode }: CommandContext): void {
  withStore(audit.command("gaps"))
    .description(
      "Names the records that are missing although later ones of their session are here, or that were removed.",
    )
    .option("--session <id>", "this session alone")
    .addHelpText("after", `\nExit code 1 when any is missing.\n\nExample:\n  askfabric audit gaps`)
    .action(async (flags: VerifyFlags) => {
      const { runGaps } = await import("./audit-verify.ts");
      setCode(await runGaps(flags, io));
    });
}

function addDeadLetters(audit: Command, { io, setCode }: CommandContext): void {
  withStore(audit.command("dead-letters"))
    .description("Shows the messages of the audit stream that are no records, and why.")
    .addHelpText(
      "after",
      `
With --json each comes whole: headers as they were, the data in base64.

Example:
  askfabric audit dead-letters --json`,
    )
    .action(async (flags: StoreFlags) => {
      const { runDeadLetters } = await import("./audit-dead-letters.ts");
      setCode(await runDeadLetters(flags, io));
    });
}

/** Adds `watch`. */
export function addWatch({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("watch"))
    .description("Shows live events of every session as they are published, until it is stopped.")
    .option("--session <id>", "events of this session")
    .option("--kind <kind>", "ui_prompt, decision or ready")
    .option("--json", "print JSON lines")
    .addOption(widthOption())
    .addHelpText(
      "after",
      `
Events are told once and not repeated; what is kept is in the records. No evidence stands in them.

Examples:
  askfabric watch
  askfabric watch --kind decision --json`,
    )
    .action(async (flags: WatchFlags) => {
      const { runWatch } = await import("./watch.ts");
      setCode(await runWatch(flags, io));
    });
}

const SECRET_FILE = [
  "--secret-file <path>",
  "file with the secret of this role, mode 600",
] as const;

function addRun(audit: Command, { io, setCode }: CommandContext): void {
  withConnection(audit.command("run"))
    .description("Keeps the records that come through the audit stream, until it is stopped.")
    .option("--store <path>", "SQLite file; audit/records.sqlite of the data folder when absent")
    .option(...SECRET_FILE)
    .addHelpText(
      "after",
      `
"askfabric up" does this for its own server. Prints {"ready":true,"url","store","stream"} once it keeps records.
A record is acknowledged after it is on disk: whatever is killed, each is kept, and kept once. Messages that are
no records are set aside; "askfabric audit dead-letters" shows them.

Examples:
  askfabric audit run
  askfabric audit run --url nats://nats.example:4222 --creds sink.creds --store /srv/audit/records.sqlite`,
    )
    .action(async (flags: AuditRunFlags) => {
      const { runAudit } = await import("./audit-run.ts");
      setCode(await runAudit(flags, io));
    });
}

function addProvision(audit: Command, { io, setCode }: CommandContext): void {
  withConnection(audit.command("provision"))
    .description("Makes the audit stream, or checks the one that is there.")
    .option("--change", "change what differs, as far as the server lets it be changed")
    .option(
      "--stream-bytes <n>",
      "most bytes the stream holds; 4 GiB for a new one",
      wholeNumber(1024 * 1024, Number.MAX_SAFE_INTEGER),
    )
    .option("--replicas <n>", "copies in a cluster; 1 for a new one", wholeNumber(1, 5))
    .option(...SECRET_FILE)
    .addHelpText(
      "after",
      `
Prints {"check":"stream","status","text"}. A stream that differs is named with each difference and left as it is
unless --change is given; exit code 1 then.

Examples:
  askfabric audit provision
  askfabric audit provision --url nats://nats.example:4222 --creds provisioner.creds --replicas 3`,
    )
    .action(async (flags: ProvisionFlags) => {
      const { runProvision } = await import("./audit-provision.ts");
      setCode(await runProvision(flags, io));
    });
}

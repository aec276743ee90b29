import type { Command } from "commander";
import type { ProvisionFlags } from "./audit-provision.ts";
import type { AuditRunFlags } from "./audit-run.ts";
import type { CommandContext } from "./commands-asking.ts";
import { wholeNumber, withConnection } from "./flags.ts";

/** Adds `audit` with all its commands. Their modules are loaded when they run. */
export function addAudit(context: CommandContext): void {
  const audit = context.program.command("audit").description("Keeps records, and shows them.");
  addRun(audit, context);
  addProvision(audit, context);
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

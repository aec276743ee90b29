import { type CommandContext, inOrder } from "./commands-asking.ts";
import type { ConfigCheckFlags } from "./config.ts";
import type { DoctorFlags } from "./doctor.ts";
import type { ExplainFlags } from "./explain.ts";
import { type CommonFlags, widthOption, withCommon, withConnection } from "./flags.ts";

const CHECK_JSON = ["--json", "print JSON lines also at a terminal"] as const;

/** Adds `doctor`. */
export function addDoctor({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("doctor"))
    .description("Looks at everything an ask needs and says what to do about what is missing.")
    .option(
      "--session <id>",
      "also look at this session's journal, and where its open asks are [ASKFABRIC_SESSION]",
    )
    .option(
      "--parent <id>",
      "also look whether this session is served; may stand more than once [ASKFABRIC_PARENT]",
      inOrder,
    )
    .option(...CHECK_JSON)
    .addOption(widthOption())
    .addHelpText(
      "after",
      `
With --session each open ask of the session is a check of its own: where it is, who could get it on, and what to do.
Journals of other sessions in the same data folder are looked into for that; nothing is changed.
Tells a person at a terminal; elsewhere, and with --json, prints one JSON line a check,
{"check","status":"ok|warn|fail|skipped","text","todo"?}. Exit code 1 when one fails.

Example:
  askfabric doctor --session worker --parent lead`,
    )
    .action(async (flags: DoctorFlags) => {
      const { runDoctor } = await import("./doctor.ts");
      setCode(await runDoctor(flags, io));
    });
}

/** Adds `config check` and `config trust`. */
export function addConfig({ program, io, setCode }: CommandContext): void {
  const config = program.command("config").description("Looks at configuration files.");
  withCommon(config.command("check"))
    .description("Reads every file and variable and says what is in force and what is wrong.")
    .option(...CHECK_JSON)
    .addOption(widthOption())
    .addHelpText(
      "after",
      `
Tells a person at a terminal; elsewhere, and with --json, prints one JSON line a file, option and problem. Exit code 1
when a source is rejected or a link cannot be asked.

Example:
  askfabric config check --config ./rules.json`,
    )
    .action(async (flags: ConfigCheckFlags) => {
      const { runConfigCheck } = await import("./config.ts");
      setCode(await runConfigCheck(flags, io));
    });
  withCommon(config.command("trust"))
    .description("Applies this project's .askfabric/config.json from now on, as it is now.")
    .addHelpText(
      "after",
      `
The file is pinned by its SHA-256: after any change it must be trusted again.

Example:
  askfabric config trust`,
    )
    .action(async (flags: CommonFlags) => {
      const { runConfigTrust } = await import("./config.ts");
      setCode(await runConfigTrust(flags, io));
    });
}

/** Adds `explain`. */
export function addExplain({ program, io, setCode }: CommandContext): void {
  withCommon(program.command("explain"))
    .description("Says which rules have a say on a tool call, in order, and which one wins.")
    .option("--tool <name>", "the tool's name")
    .option("--input <json>", "the tool's input, a JSON object")
    .option("--stdin", "read the call from standard input as one JSON object instead")
    .option("--cwd <dir>", "working directory of the tool; this process's own when absent")
    .option("--session <id>", "count the grants of this session [ASKFABRIC_SESSION]")
    .option("--agent <name>", "name of the agent, whose own rules count [ASKFABRIC_AGENT]")
    .option("--parent <id>", "count this session's grants at the parent")
    .option("--parent-config <path>", "rules of the parent; the same ones when absent")
    .option("--json", "print JSON lines, with everything a parent would look at")
    .addOption(widthOption())
    .addHelpText("after", EXPLAIN_HELP)
    .action(async (flags: ExplainFlags) => {
      const { runExplain } = await import("./explain.ts");
      setCode(await runExplain(flags, io));
    });
}

const EXPLAIN_HELP = `
Each request of the call stands with what rules were matched against, and under it the default, the rules and the
grants that match, from lowest to highest, with the place each one is written. An arrow marks the one that decides
its part, "<== decides" the part that decides the request. Nobody is asked and nothing is recorded.
A parent is taken to know no agent by its roster: rules of an agent tighten there and allow nothing.

Examples:
  askfabric explain --tool bash --input '{"command":"git status && rm -rf build"}'
  askfabric explain --stdin --config rules.json --json < permission-request.json`;

/** Adds `schema`. */
export function addSchema({ program, io, setCode }: CommandContext): void {
  program
    .command("schema")
    .argument("[name]", "name of a schema as the list shows it")
    .description("Prints a JSON Schema of this package, or the list of their names.")
    .addHelpText(
      "after",
      `
Examples:
  askfabric schema
  askfabric schema lines/outcome`,
    )
    .action(async (name: string | undefined) => {
      const { runSchema } = await import("./schema.ts");
      setCode(runSchema(name, io));
    });
}

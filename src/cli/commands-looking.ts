import type { CommandContext } from "./commands-asking.ts";
import type { DoctorFlags } from "./doctor.ts";
import { type CommonFlags, withCommon, withConnection } from "./flags.ts";

/** Adds `doctor`. */
export function addDoctor({ program, io, setCode }: CommandContext): void {
  withConnection(program.command("doctor"))
    .description("Looks at everything an ask needs and says what to do about what is missing.")
    .option("--session <id>", "also look at this session's journal [ASKFABRIC_SESSION]")
    .option("--parent <id>", "also look whether this session is served [ASKFABRIC_PARENT]")
    .addHelpText(
      "after",
      `
Prints one JSON line a check, {"check","status":"ok|warn|fail|skipped","text","todo"?}; exit code 1 when one fails.

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
    .addHelpText(
      "after",
      `
Prints one JSON line a file, option and problem; exit code 1 when a source is rejected.

Example:
  askfabric config check --config ./rules.json`,
    )
    .action(async (flags: CommonFlags) => {
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

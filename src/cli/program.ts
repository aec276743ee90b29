import { Command, CommanderError } from "commander";
import { addAsk, addChild, addServe, type CommandContext } from "./commands-asking.ts";
import { addAudit, addWatch } from "./commands-audit.ts";
import { addCreds } from "./commands-creds.ts";
import { addGrants } from "./commands-grants.ts";
import { addConfig, addDoctor, addExplain, addSchema } from "./commands-looking.ts";
import { addPending } from "./commands-operator.ts";
import { addUp } from "./commands-running.ts";
import { CommandError, complaintOf, EXIT, sentenceOf } from "./failure.ts";
import type { Io } from "./io.ts";

/**
 * Runs one command line and returns its exit code. Whatever fails becomes one sentence on standard error.
 */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const setCode = (given: number): void => {
    code = given;
  };
  const program = buildProgram(io, setCode, argv[0]);
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return usageCode(error, io);
    if (io.stop.aborted && error === io.stop.reason) {
      io.complain(`askfabric: stopped by ${sentenceOf(error)} before it was ready\n`);
      return EXIT.usage;
    }
    io.complain(complaintOf(error));
    return error instanceof CommandError ? error.exitCode : EXIT.usage;
  }
}

/** Help and version were asked for and are out; anything else is a command line of no use. */
function usageCode(error: CommanderError, io: Io): number {
  if (error.exitCode === 0) return EXIT.ok;
  if (error.code !== "commander.help") {
    const text = sentenceOf(error)
      .replace(/^error: /, "")
      .replace(/\.$/, "");
    io.complain(`askfabric: ${text}; "askfabric COMMAND --help" says what is possible\n`);
  }
  return EXIT.usage;
}

/** Every command, in the order in which help shows them. */
const COMMANDS: Readonly<Record<string, (context: CommandContext) => void>> = {
  up: addUp,
  serve: addServe,
  ask: addAsk,
  child: addChild,
  audit: addAudit,
  watch: addWatch,
  pending: addPending,
  grants: addGrants,
  creds: addCreds,
  doctor: addDoctor,
  config: addConfig,
  explain: addExplain,
  schema: addSchema,
};

/**
 * Builds the command line; a command's exit code goes to `setCode`.
 *
 * @param first - The first word that is given. When it names a command, only that one is built: a one-shot ask would
 * wait for the others.
 */
export function buildProgram(io: Io, setCode: (code: number) => void, first?: string): Command {
  const program = new Command("askfabric")
    .description("Carries the permission asks of coding-agent sessions over NATS.")
    .version(io.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .exitOverride()
    .configureOutput({
      writeOut: io.write,
      writeErr: io.complain,
      outputError: () => undefined,
    })
    .addHelpText(
      "after",
      `
Exit codes: 0 done or allowed, 1 usage or configuration, 2 denied, 3 lost.
Standard output carries only what was asked for; logs go to standard error.`,
    );
  const context = { program, io, setCode };
  const named = first !== undefined && Object.hasOwn(COMMANDS, first) ? COMMANDS[first] : undefined;
  for (const add of named === undefined ? Object.values(COMMANDS) : [named]) add(context);
  return program;
}

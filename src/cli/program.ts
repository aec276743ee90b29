import { Command, CommanderError } from "commander";
import { addAsk, addChild, addServe } from "./commands-asking.ts";
import { addAudit, addWatch } from "./commands-audit.ts";
import { addGrants } from "./commands-grants.ts";
import { addConfig, addDoctor, addExplain, addSchema } from "./commands-looking.ts";
import { addUp } from "./commands-running.ts";
import { CommandError, EXIT, sentenceOf } from "./failure.ts";
import type { Io } from "./io.ts";

/**
 * Runs one command line and returns its exit code. Whatever fails becomes one sentence on standard error.
 */
export async function runProgram(argv: readonly string[], io: Io): Promise<number> {
  let code: number = EXIT.ok;
  const program = buildProgram(io, (given) => {
    code = given;
  });
  try {
    await program.parseAsync([...argv], { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return usageCode(error, io);
    if (io.stop.aborted && error === io.stop.reason) {
      io.complain(`askfabric: stopped by ${sentenceOf(error)} before it was ready\n`);
      return EXIT.usage;
    }
    io.complain(`askfabric: ${sentenceOf(error)}\n`);
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

/** Builds the whole command line; a command's exit code goes to `setCode`. */
export function buildProgram(io: Io, setCode: (code: number) => void): Command {
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
  addUp(context);
  addServe(context);
  addAsk(context);
  addChild(context);
  addAudit(context);
  addWatch(context);
  addGrants(context);
  addDoctor(context);
  addConfig(context);
  addExplain(context);
  addSchema(context);
  return program;
}

import type { Link } from "../ask/ports.ts";
import { questionText, readAnswerText } from "./read-verdict.ts";
import { runOnce } from "./run-once.ts";
import { openSlots } from "./slots.ts";

/** Processes of one link at a time; further asks wait inside their deadline. */
const AT_ONCE = 8;

/** A link that is a program of this machine. */
export interface CommandLinkOptions {
  readonly name: string;
  /** The program and its arguments, as they are: no shell reads them. */
  readonly command: readonly [string, ...string[]];
  /** Working directory of the program, absolute. */
  readonly cwd: string;
  /** The whole environment of the program. */
  readonly env: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, unknown>>;
  readonly timeoutMs?: number;
}

/**
 * Makes a link of a program. Each ask is a process of its own: one JSON object on its standard input, one verdict
 * as JSON on its standard output, exit code 0. Anything else fails. The process and all it started in its group are
 * killed when it has answered, when it says too much, and when the ask is taken back.
 */
export function commandLink(options: CommandLinkOptions): Link {
  const { name, timeoutMs } = options;
  const slots = openSlots(AT_ONCE);
  return {
    name,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    judge: async (details, _query, log, signal) =>
      slots.run(signal, async () => {
        const { code, stdout, stderr } = await runOnce(
          { ...options, input: questionText(options, details) },
          signal,
        );
        if (stderr !== "") log.debug({ stderr }, "a link wrote to its standard error");
        if (code !== 0) throw new Error(`it ended with ${exitOf(code)}`);
        return readAnswerText(stdout);
      }),
  };
}

function exitOf(code: number | string): string {
  return typeof code === "number" ? `exit code ${code}` : `signal ${code}`;
}

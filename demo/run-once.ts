import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { DemoError, DemoStopped } from "./demo-error.ts";
import { MAIN, type Start } from "./program.ts";

const LONGEST_MS = 10_000;

/** Runs the built program to its end and returns what it printed. @throws DemoError when it fails. */
export async function runOnce(
  start: Pick<Start, "args" | "cwd" | "env" | "signal">,
): Promise<string> {
  const { args, cwd, env, signal } = start;
  try {
    const options = { cwd, env, signal, timeout: LONGEST_MS };
    return (await promisify(execFile)(process.execPath, [MAIN, ...args], options)).stdout;
  } catch (error) {
    if (signal.aborted) throw new DemoStopped("stopped", { cause: error });
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new DemoError(`askfabric ${args.join(" ")} failed: ${(stderr || stdout).trim()}`, {
      cause: error,
    });
  }
}

import { spawn } from "node:child_process";

/** What a command left behind. */
export interface CommandResult {
  /** Null when it could not be started, or was ended by a signal or the limit. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one command to its end. Never rejects. */
export type RunCommand = (
  command: string,
  args: readonly string[],
  options?: { readonly cwd?: string; readonly limitMs?: number },
) => Promise<CommandResult>;

const LIMIT_MS = 120_000;
const KEPT_CHARACTERS = 65_536;

/** Runs commands on this machine, without a shell and without input, and ends them when `stop` is aborted. */
export function runCommandUntil(stop?: AbortSignal): RunCommand {
  return async (command, args, options) => {
    const result = Promise.withResolvers<CommandResult>();
    const child = spawn(command, args, {
      ...(options?.cwd !== undefined && { cwd: options.cwd }),
      ...(stop && { signal: stop }),
      stdio: ["ignore", "pipe", "pipe"],
      killSignal: "SIGKILL",
    });
    // Node's own limit keeps the process alive after a command that could not be started.
    const limit = setTimeout(() => child.kill("SIGKILL"), options?.limitMs ?? LIMIT_MS);
    const settle = (code: number | null): void => {
      clearTimeout(limit);
      result.resolve({ code, stdout, stderr });
    };
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout = (stdout + text).slice(-KEPT_CHARACTERS);
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-KEPT_CHARACTERS);
    });
    child.on("error", (error) => {
      stderr ||= error.message;
      settle(null);
    });
    child.on("close", settle);
    return result.promise;
  };
}

import { readdir, readFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import type { RunCommand } from "./run-command.ts";
import { ServerError } from "./server-error.ts";

const GRACE_MS = 5_000;
const POLL_MS = 50;

/**
 * Ends servers that run on `configFile`: what an `up` that was killed has left running. Called under the
 * folder's lock, so none of them has a living `up`. Resolves to the processes it ended.
 *
 * @throws {@link ServerError} `server_data_in_use` when one cannot be ended.
 */
export async function endLeftovers(
  configFile: string,
  run: RunCommand,
): Promise<readonly number[]> {
  const leftover = await serversOn(configFile, run);
  let left = leftover;
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const pid of left) {
      send(pid, signal);
      // One that is halted hears of its end only when it goes on.
      send(pid, "SIGCONT");
    }
    const limit = AbortSignal.timeout(GRACE_MS);
    while (left.length > 0 && !limit.aborted) {
      await pause(POLL_MS);
      left = await serversOn(configFile, run);
    }
  }
  if (left.length === 0) return leftover;
  throw new ServerError(
    "server_data_in_use",
    `nats-server (process ${left.join(", ")}) still runs on ${configFile} and cannot be ended from here: end it, or choose another folder with --data`,
  );
}

/** Processes of this machine that were started as a server on `configFile`; a container's client is none. */
async function serversOn(configFile: string, run: RunCommand): Promise<readonly number[]> {
  return process.platform === "linux" ? fromProc(configFile) : fromProcessList(configFile, run);
}

async function fromProc(configFile: string): Promise<readonly number[]> {
  const found: number[] = [];
  for (const name of await readdir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // A process that is gone, or dead and not yet collected, has no command line.
    const raw = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    const parts = raw.split("\0").slice(0, -1);
    const onConfig = parts.at(-2) === "-c" && parts.at(-1) === configFile;
    if (onConfig && parts[1] !== "run") found.push(Number(name));
  }
  return found;
}

async function fromProcessList(configFile: string, run: RunCommand): Promise<readonly number[]> {
  const { stdout } = await run("ps", ["-axww", "-o", "pid=,command="]);
  return stdout.split("\n").flatMap((line) => {
    const [, pid, command = ""] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    const onConfig = command.endsWith(` -c ${configFile}`) && !command.includes(" run --rm ");
    return pid !== undefined && onConfig ? [Number(pid)] : [];
  });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended by itself, or belongs to somebody else; the caller looks again.
  }
}

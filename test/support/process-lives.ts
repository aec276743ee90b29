import { readFileSync } from "node:fs";

/** Says whether a process lives; one that waits for its parent to look at its end does not. */
export function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(" ")[2] !== "Z";
  } catch {
    return false;
  }
}

/** The process id that a program wrote into a file; undefined while it has not. */
export function pidIn(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    return pid > 0 ? pid : undefined;
  } catch {
    return undefined;
  }
}

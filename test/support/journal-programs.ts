import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Program, startProgram } from "./program.ts";

const PROGRAM = fileURLToPath(new URL("journal-process.ts", import.meta.url));

/** Node 22 warns that its SQLite is new; what is left on the error output is then a failure. */
const FLAGS = ["--disable-warning=ExperimentalWarning"];

/** What `journal-process.ts` can be told to do. */
export type JournalTask =
  | "write"
  | "hold"
  | "hold-with-child"
  | "come-and-go"
  | "stall"
  | "fill-disk"
  | "open";

/** Starts a process that has the journal of `session-1` open and does `task`. */
export function startJournal(task: JournalTask, folder: string): Program {
  return startProgram(process.execPath, [...FLAGS, PROGRAM, task, folder, "session-1"]);
}

/**
 * Starts the same on a disk of its own, mounted at `folder` for that process alone with the options
 * `mount`, such as `size=4m`.
 */
export function startJournalOnDisk(task: JournalTask, folder: string, mount: string): Program {
  const [command, ...inside] = onDisk(folder, mount);
  const program = [process.execPath, ...FLAGS, PROGRAM, task, folder, "session-1"];
  return startProgram(command, [...inside, ...program]);
}

/** The beginning of a command line whose program has a disk of its own at `folder`; see {@link startJournalOnDisk}. */
export function onDisk(folder: string, mount: string): readonly [string, ...string[]] {
  mkdirSync(folder, { recursive: true });
  const script = 'mount -t tmpfs -o "$1" tmpfs "$2" && shift 2 && exec "$@"';
  return ["unshare", ...unshareFlags(), "sh", "-c", script, "sh", mount, folder];
}

/** The beginning of a command line whose program sees the disks of the process `pid`, which {@link onDisk} began. */
export function besideProgram(pid: number): readonly [string, ...string[]] {
  const own = process.getuid?.() === 0 ? [] : ["--user", "--preserve-credentials"];
  return ["nsenter", "--target", String(pid), "--mount", ...own];
}

/** Why this machine cannot give a process a disk of its own; null when it can. */
export function whyNoDisk(): string | null {
  const script = "mount -t tmpfs -o size=64k tmpfs /mnt";
  const tried = spawnSync("unshare", [...unshareFlags(), "sh", "-c", script], { encoding: "utf8" });
  if (tried.error !== undefined) return `unshare: ${tried.error.message}`;
  return tried.status === 0 ? null : tried.stderr.trim();
}

function unshareFlags(): readonly string[] {
  return process.getuid?.() === 0 ? ["--mount"] : ["--map-root-user", "--mount"];
}

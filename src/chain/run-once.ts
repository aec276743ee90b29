import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { LinkVacantError } from "./link-failure.ts";
import { MAX_ANSWER_BYTES } from "./read-verdict.ts";

/** How long the output of a process that has ended is waited for, in milliseconds. */
const LAST_OUTPUT_MS = 250;

/** Kept of what a process writes to its standard error, in UTF-16 units. */
const KEPT_STDERR = 2_000;

/** One run of a program. */
export interface ProgramRun {
  readonly command: readonly [string, ...string[]];
  readonly cwd: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Written to its standard input, which then ends. */
  readonly input: string;
}

/** What a program left behind. */
export interface ProgramEnd {
  /** Exit code, or the signal that ended it. */
  readonly code: number | string;
  readonly stdout: Uint8Array;
  /** The end of it. */
  readonly stderr: string;
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>;

/** Groups that are to die with this process. */
const running = new Set<Process>();
let watchesExit = false;

/**
 * Runs a program without a shell, as the leader of a process group of its own, and kills the whole group when it
 * has ended, when it writes more than an answer may be long, and when `signal` is aborted. It gets no gentler
 * signal first: whoever did not answer has nothing to tidy up.
 *
 * @throws {@link LinkVacantError} when it cannot be started.
 * @throws Error when it was killed, saying why.
 */
export async function runOnce(run: ProgramRun, signal: AbortSignal): Promise<ProgramEnd> {
  signal.throwIfAborted();
  const child = start(run);
  const { promise, resolve, reject } = Promise.withResolvers<ProgramEnd>();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let stderr = "";
  let late: NodeJS.Timeout | undefined;
  const stop = (): void => reject(reasonOf(signal));
  signal.addEventListener("abort", stop, { once: true });

  child.on("error", (error) => {
    const { code } = error as NodeJS.ErrnoException;
    const why = code ?? error.message;
    reject(new LinkVacantError(`the program ${run.command[0]} cannot be started (${why})`));
  });
  child.stdout.on("data", (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) reject(new Error(`it wrote more than ${MAX_ANSWER_BYTES} bytes`));
    else chunks.push(chunk);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  child.on("exit", (code, by) => {
    const ended = (): void =>
      resolve({ code: code ?? by ?? "unknown", stdout: Buffer.concat(chunks), stderr });
    // What it started may hold its output open: those in its group die here, others are not waited for.
    killGroup(child);
    child.on("close", ended);
    late = setTimeout(ended, LAST_OUTPUT_MS);
  });
  // Whoever answers without reading the question closes this end early.
  child.stdin.on("error", () => undefined);
  child.stdin.end(run.input);
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    signal.removeEventListener("abort", stop);
    letGo(child);
  }
}

function start({ command: [program, ...args], cwd, env }: ProgramRun): Process {
  if (!watchesExit) {
    watchesExit = true;
    process.on("exit", () => {
      for (const child of running) killGroup(child);
    });
  }
  const child = spawn(program, args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // A group of its own; on Windows this would open a window instead.
    detached: process.platform !== "win32",
    windowsHide: true,
  });
  running.add(child);
  return child;
}

function letGo(child: Process): void {
  running.delete(child);
  if (child.exitCode === null && child.signalCode === null) killGroup(child);
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

function killGroup(child: Process): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill("SIGKILL");
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // Nobody is left in the group.
  }
}

function reasonOf({ reason }: AbortSignal): Error {
  return reason instanceof Error ? reason : new Error("the ask was taken back");
}

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { until } from "./until.ts";

/** The built program. */
export const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

/** A line of standard output, parsed. */
export type Line = Readonly<Record<string, unknown>>;

/** Picks the line by which a program says that it is ready. */
export const isReady = (line: Line): true | undefined =>
  line["ready"] === true ? true : undefined;

/** The program as it runs in a process of its own. */
export interface RunningProgram extends AsyncDisposable {
  readonly pid: number;
  /** Every line of standard output so far, parsed. */
  readonly lines: readonly Line[];
  /** Standard output and standard error so far. */
  stdout(): string;
  stderr(): string;
  /** Calls `listener` for every line that came and will come. */
  onLine(listener: (line: Line) => void): void;
  /** Writes one line to standard input: a text as it is, anything else as JSON. */
  say(line: unknown): void;
  /** Closes the reading end of standard output. */
  stopReading(): void;
  /** Ends standard input. */
  endInput(): void;
  kill(signal: NodeJS.Signals): void;
  /** Waits for the first line that `pick` gives something for. */
  line<T>(what: string, pick: (line: Line) => T | undefined, deadlineMs?: number): Promise<T>;
  /** Waits for the end; the exit code, or the signal that ended it. */
  ended(deadlineMs?: number): Promise<number | string>;
}

/** How a program is run. */
export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** A program that runs it, with arguments of its own first; it must become it by `exec`. */
  readonly within?: readonly [string, ...string[]];
}

const running = new Set<ChildProcessByStdio<Writable, Readable, Readable>>();
process.on("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts the built program. Nothing of the tester's own environment but the `PATH` reaches it. */
export function runProgram(args: readonly string[], options: RunOptions = {}): RunningProgram {
  const program = [process.execPath, MAIN, ...args] as const;
  const [command, ...behind] =
    options.within === undefined ? program : [...options.within, ...program];
  const child = spawn(command, behind, {
    cwd: options.cwd ?? process.cwd(),
    env: { PATH: process.env["PATH"], HOME: "/nonexistent", ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  running.add(child);
  let out = "";
  let err = "";
  let rest = "";
  let end: number | string | undefined;
  const lines: Line[] = [];
  const listeners: ((line: Line) => void)[] = [];
  child.stdin.on("error", () => undefined);
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk;
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = asLine(part);
      lines.push(line);
      for (const listener of listeners) listener(line);
    }
  });
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk;
  });
  child.once("close", (code, signal) => {
    running.delete(child);
    end = code ?? signal ?? "gone";
  });
  const seen = (): string => `\nstdout: ${out}\nstderr: ${err}`;
  const withSeen = async <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => {
      throw new Error(`${String(error)}${seen()}`, { cause: error });
    });
  const ended = async (deadlineMs = 10_000): Promise<number | string> =>
    withSeen(until(`the end of ${args.join(" ")}`, () => end, deadlineMs));
  return {
    pid: child.pid ?? -1,
    lines,
    stdout: () => out,
    stderr: () => err,
    onLine: (listener) => {
      lines.forEach(listener);
      listeners.push(listener);
    },
    say: (line) => {
      child.stdin.write(`${typeof line === "string" ? line : JSON.stringify(line)}\n`);
    },
    stopReading: () => {
      child.stdout.destroy();
    },
    endInput: () => child.stdin.end(),
    kill: (signal) => {
      child.kill(signal);
    },
    line: async (what, pick, deadlineMs = 10_000) =>
      withSeen(
        until(
          what,
          () => {
            for (const line of lines) {
              const picked = pick(line);
              if (picked !== undefined) return { picked };
            }
            return undefined;
          },
          deadlineMs,
        ).then(({ picked }) => picked),
      ),
    ended,
    [Symbol.asyncDispose]: async () => {
      if (end === undefined) child.kill("SIGKILL");
      await ended();
    },
  };
}

function asLine(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return { notJson: text };
  }
}

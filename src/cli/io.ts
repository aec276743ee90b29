import { readFileSync, writeSync } from "node:fs";
import type { Clock } from "../ask/ports.ts";
import { visibleJson } from "../render/visible-text.ts";
import { homeFolder } from "./home-folder.ts";

/** What a program touches of the world outside: read once by `main`, passed down from there. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly clock: Clock;
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** The terminal that keys come from and screens go to; null unless both ends are one. */
  readonly screen: Screen | null;
  /** Writes what was asked for to standard output, as it is. */
  readonly write: (text: string) => void;
  /** Writes to standard error, as it is. */
  readonly complain: (text: string) => void;
  /** Aborted by the first SIGINT, SIGTERM or SIGHUP, or when standard output has no reader any more. */
  readonly stop: AbortSignal;
  /** Version of this package. */
  readonly version: string;
}

/** A terminal with a person before it. */
export interface Screen {
  readonly input: NodeJS.ReadStream;
  readonly output: NodeJS.WriteStream;
  /** Stops the program as its stop key would: keys that are read one by one no longer do it by themselves. */
  readonly interrupt: () => void;
  /** Stops the program because no key will ever come again. */
  readonly lost: () => void;
}

/** Prints one line of a contract on standard output: JSON that does nothing to a screen it may come to. */
export function printLine(io: Pick<Io, "write">, line: object): void {
  io.write(`${visibleJson(JSON.stringify(line))}\n`);
}

/** Resolves when the program is to stop. */
export async function untilStopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (stop.aborted) resolve();
    else stop.addEventListener("abort", () => resolve(), { once: true });
  });
}

const OUTPUT_CLOSED = "nobody reads standard output";
const TERMINAL_LOST = "its terminal is gone";

/** Says whether the program was told to stop by a signal, and not by the end of its reader or its terminal. */
export function isStoppedInOrder({ stop }: Pick<Io, "stop">): boolean {
  return stop.aborted && stop.reason !== OUTPUT_CLOSED && stop.reason !== TERMINAL_LOST;
}

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The numbers that shells add 128 to. */
const SIGNAL_NUMBERS = { SIGINT: 2, SIGTERM: 15 } as const;

/**
 * Opens this process's own outside. The second stopping signal ends the process at once, except that a terminal
 * which goes away says so more than once.
 */
export function openIo(): Io {
  const stop = new AbortController();
  for (const signal of STOPPING) {
    process.on(signal, () => {
      if (!stop.signal.aborted) stop.abort(signal);
      else if (signal !== "SIGHUP") process.exit(128 + SIGNAL_NUMBERS[signal]);
    });
  }
  process.stdout.on("error", () => stop.abort(OUTPUT_CLOSED));
  return {
    env: process.env,
    cwd: process.cwd(),
    home: homeFolder(),
    clock: { now: () => Date.now(), monotonic },
    get stdin() {
      return process.stdin as AsyncIterable<Uint8Array>;
    },
    get stdoutIsTerminal() {
      return process.stdout.isTTY;
    },
    get stderrIsTerminal() {
      return process.stderr.isTTY;
    },
    get screen() {
      if (!process.stdin.isTTY || !process.stdout.isTTY) return null;
      const interrupt = (): void => {
        process.kill(process.pid, "SIGINT");
      };
      const lost = (): void => stop.abort(TERMINAL_LOST);
      return { input: process.stdin, output: process.stdout, interrupt, lost };
    },
    write: (text) => {
      if (!process.stdout.destroyed) process.stdout.write(text);
    },
    complain: (text) => {
      try {
        writeSync(2, text);
      } catch {
        // Nobody reads standard error; there is no other place to say so.
      }
    },
    stop: stop.signal,
    version: ownVersion(),
  };
}

/** Node loads its whole measuring of performance with the first use of `performance`. */
function monotonic(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}

function ownVersion(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}

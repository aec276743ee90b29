import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { DemoError, DemoStopped } from "./demo-error.ts";

/** The built program. */
export const MAIN = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/** A line of standard output, parsed. */
export type Line = Readonly<Record<string, unknown>>;

/** A program of the product in a process of its own. */
export interface Program {
  readonly name: string;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  say(line: object): void;
  endInput(): void;
  /** Calls `listener` for every line that came and will come. */
  onLine(listener: (line: Line) => void): void;
  /** What `work` gives, unless the program ends first, `deadlineMs` pass or the demo is stopped. */
  meanwhile<T>(what: string, work: Promise<T>, deadlineMs: number): Promise<T>;
  /** Waits until it has ended by itself. */
  untilEnded(deadlineMs: number): Promise<number | string>;
  /** Ends it in order, by force when it takes too long. Does nothing when it has ended. */
  stop(): Promise<void>;
}

/** What a program is started with. */
export interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Folder of its log. */
  readonly logs: string;
  /** Aborted when the demo is to stop. */
  readonly signal: AbortSignal;
  /** True for the one that a person's terminal belongs to. */
  readonly ownsTerminal: boolean;
}

const STOP_WAITS_MS = [["SIGTERM", 8_000] as const, ["SIGTERM", 2_000] as const];

/** Starts the built program; what it writes to its error output goes to its log. */
export function startProgram(start: Start): Program {
  const { name, ownsTerminal } = start;
  const logFile = join(start.logs, `${name}.log`);
  const log = openSync(logFile, "w", 0o600);
  const child = spawn(process.execPath, [MAIN, ...start.args], {
    cwd: start.cwd,
    env: start.env,
    stdio: ownsTerminal ? ["inherit", "inherit", log] : ["pipe", "pipe", log],
    // The stop key of a terminal reaches the demo alone, which then ends the programs in order.
    detached: !ownsTerminal,
  });
  closeSync(log);
  const ended = endOf(child);
  let isOver = false;
  const endToo = (): void => {
    child.kill("SIGTERM");
  };
  process.once("exit", endToo);
  void ended.then(() => {
    isOver = true;
    process.removeListener("exit", endToo);
  });
  const lines: Line[] = [];
  const listeners: ((line: Line) => void)[] = [];
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on("line", (text) => {
      const line = parsed(text);
      lines.push(line);
      for (const listener of listeners) listener(line);
    });
  }
  child.stdin?.on("error", () => undefined);

  const meanwhile: Program["meanwhile"] = async (what, work, deadlineMs) => {
    const stopped = Promise.withResolvers<never>();
    const fail = (error: Error): void => stopped.reject(error);
    const timer = setTimeout(() => {
      fail(new DemoError(`${name}: ${what} did not happen within ${String(deadlineMs)} ms`));
    }, deadlineMs).unref();
    const abort = (): void => fail(new DemoStopped("stopped"));
    start.signal.addEventListener("abort", abort);
    if (start.signal.aborted) abort();
    try {
      const early = ended.then((end) => {
        throw earlyEnd({ name, ownsTerminal, what, end, logFile });
      });
      return await Promise.race([work, stopped.promise, early]);
    } finally {
      clearTimeout(timer);
      start.signal.removeEventListener("abort", abort);
    }
  };

  return {
    name,
    ended,
    say: (line) => child.stdin?.write(`${JSON.stringify(line)}\n`),
    endInput: () => child.stdin?.end(),
    onLine: (listener) => {
      lines.forEach(listener);
      listeners.push(listener);
    },
    meanwhile,
    untilEnded: async (deadlineMs) => {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        late.reject(new DemoError(`${name} did not end within ${String(deadlineMs)} ms`));
      }, deadlineMs);
      return Promise.race([ended, late.promise]).finally(() => clearTimeout(timer));
    },
    stop: async () => {
      for (const [signal, waitMs] of STOP_WAITS_MS) {
        if (isOver) return;
        child.kill(signal);
        const waited = Promise.withResolvers<void>();
        const timer = setTimeout(waited.resolve, waitMs);
        await Promise.race([ended, waited.promise]);
        clearTimeout(timer);
      }
      if (!isOver) child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Waits for the first line of a program that `pick` gives something for. */
export async function lineOf<T>(
  program: Program,
  what: string,
  pick: (line: Line) => T | undefined,
  deadlineMs: number,
): Promise<T> {
  const found = Promise.withResolvers<T>();
  program.onLine((line) => {
    const picked = pick(line);
    if (picked !== undefined) found.resolve(picked);
  });
  return program.meanwhile(what, found.promise, deadlineMs);
}

function parsed(text: string): Line {
  try {
    return JSON.parse(text) as Line;
  } catch {
    return { notJson: text };
  }
}

async function endOf(child: ChildProcess): Promise<number | string> {
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(code ?? signal ?? "gone"));
  });
}

function earlyEnd(about: {
  readonly name: string;
  readonly ownsTerminal: boolean;
  readonly what: string;
  readonly end: number | string;
  readonly logFile: string;
}): Error {
  const { name, end } = about;
  // Before a dialog the stop key is a key: the program that reads keys hears of it alone.
  if (about.ownsTerminal && end === 0) return new DemoStopped("stopped at the terminal");
  const said = readFileSync(about.logFile, "utf8").trim().split("\n").at(-1) ?? "";
  return new DemoError(
    `${name} ended (${String(end)}) before ${about.what}${said === "" ? "" : `; it said: ${said}`}`,
  );
}

import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { until } from "./until.ts";

/** A started program whose output is JSON lines. Leaving its scope kills it. */
export interface Program extends AsyncDisposable {
  readonly process: ChildProcess;
  /** Every line so far, parsed. */
  readonly lines: readonly Readonly<Record<string, unknown>>[];
  /** What it wrote to its error output so far. */
  errors(): string;
  /** Waits for a line that has `key` and returns that key's value. */
  told(key: string): Promise<unknown>;
  /** Calls `listener` at every line from now on. */
  onLine(listener: () => void): void;
  /** Kills it with SIGKILL unless it is dead, and waits until its output has ended. */
  kill(): Promise<void>;
  /** Waits until it ended by itself and its output with it. */
  ended(): Promise<number | null>;
}

/** Starts `command` with `args`; its output is read as JSON lines. */
export function startProgram(command: string, args: readonly string[]): Program {
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"] });
  const lines: Readonly<Record<string, unknown>>[] = [];
  const listeners: (() => void)[] = [];
  let errors = "";
  let open = true;
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(parsed(line));
    for (const listener of listeners) listener();
  });
  child.on("close", () => (open = false));
  child.stdin.on("error", () => undefined);
  const closed = async (what: string): Promise<void> => {
    await until(`${what} (${errors})`, () => !open, 20_000);
  };
  const kill = async (): Promise<void> => {
    if (open) child.kill("SIGKILL");
    await closed("the killed program ends");
  };
  return {
    process: child,
    lines,
    errors: () => errors,
    told: async (key) => {
      const line = await until(
        `the program tells ${key}`,
        () => {
          if (!open && errors !== "") throw new Error(errors);
          return lines.find((candidate) => key in candidate);
        },
        20_000,
      );
      return line[key];
    },
    onLine: (listener) => {
      listeners.push(listener);
    },
    kill,
    ended: async () => {
      await closed("the program ends");
      return child.exitCode;
    },
    [Symbol.asyncDispose]: kill,
  };
}

/** A line cut by the death of its writer reads as nothing. */
function parsed(line: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(line) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  isReady,
  type Line,
  type RunningProgram,
  type RunOptions,
  runProgram,
} from "./askfabric.ts";
import { startNats, type TestServer } from "./nats-launcher.ts";

/** A server, a data folder, and programs on them. Leaving its scope ends all of it. */
export interface Bench extends AsyncDisposable {
  readonly server: TestServer;
  /** The folder given to every program with `--data`. */
  readonly data: string;
  /** Flags that name server, fleet and data folder. */
  readonly connection: readonly string[];
  /** Runs a command that speaks: server and data folder are given to it. */
  run(args: readonly string[], options?: RunOptions): RunningProgram;
  /** Runs `serve` and waits until it is ready. */
  serve(session: string, args?: readonly string[]): Promise<RunningProgram>;
}

/** Opens a bench in a fleet of its own, on the server given or on one of its own. */
export async function openBench(shared?: TestServer): Promise<Bench> {
  const server = shared ?? (await startNats());
  const fleet = `t${randomBytes(6).toString("hex")}`;
  const data = mkdtempSync(join(tmpdir(), "askfabric-data-"));
  const programs: RunningProgram[] = [];
  const connection = ["--url", server.url, "--fleet", fleet, "--data", data];
  const run: Bench["run"] = (args, options) => {
    const program = runProgram([...args, ...connection], options);
    programs.push(program);
    return program;
  };
  return {
    server,
    data,
    connection,
    run,
    serve: async (session, args = []) => {
      const program = run(["serve", "--session", session, ...args]);
      await program.line("the ready line", isReady);
      return program;
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of programs) await program[Symbol.asyncDispose]();
      if (shared === undefined) await server[Symbol.asyncDispose]();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** A prompt as a person's script reads it. */
export interface SeenPrompt {
  readonly requestId: string;
  readonly surface: string;
  readonly value: string;
  readonly rows: readonly string[];
  readonly hiddenRows: number;
  readonly waiting: number;
  readonly reprompt?: number;
  readonly full?: boolean;
}

/** Reads the prompt of a line; undefined for other lines. */
export function promptOf(line: Line): SeenPrompt | undefined {
  return line["prompt"] as SeenPrompt | undefined;
}

/** Answers every prompt of a serving program as `decide` says, until the program has ended. */
export function answerEach(
  program: RunningProgram,
  decide: (prompt: SeenPrompt) => Readonly<Record<string, unknown>>,
): void {
  program.onLine((line) => {
    const prompt = promptOf(line);
    if (prompt !== undefined) program.say({ requestId: prompt.requestId, ...decide(prompt) });
  });
}

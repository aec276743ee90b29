import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import type { AuditReads } from "../../src/store/store.ts";
import { isReady, type RunningProgram, type RunOptions, runProgram } from "./askfabric.ts";
import { testServer } from "./nats-servers.ts";
import { until } from "./until.ts";

/** `askfabric up` on a data folder of a test's own, and programs on it. Leaving its scope ends all of it. */
export interface UpBench extends AsyncDisposable {
  readonly data: string;
  readonly up: RunningProgram;
  /** Runs a command on the data folder. */
  run(args: readonly string[], options?: RunOptions): RunningProgram;
  /** Runs `serve` and waits until it is ready. */
  serve(session: string, args?: readonly string[]): Promise<RunningProgram>;
  /** Starts `up` again after it was ended. */
  startAgain(): Promise<RunningProgram>;
  /** Asks the store, which stays open until the bench ends. */
  reads(): Promise<AuditReads>;
}

/** Starts `up` and waits until it is ready. */
export async function openUpBench(): Promise<UpBench> {
  const data = realpathSync(mkdtempSync(join(tmpdir(), "askfabric-up-")));
  const { command } = await testServer();
  const programs: RunningProgram[] = [];
  const open: AsyncDisposable[] = [];
  const run: UpBench["run"] = (args, options) => {
    const program = runProgram([...args, "--data", data], {
      ...options,
      env: { ASKFABRIC_NATS_SERVER: command, ...options?.env },
    });
    programs.push(program);
    return program;
  };
  const ready = async (program: RunningProgram): Promise<RunningProgram> => {
    await program.line("the ready line", isReady, 20_000);
    return program;
  };
  let up = await ready(run(["up"]));
  return {
    data,
    get up() {
      return up;
    },
    run,
    serve: async (session, args = []) => ready(run(["serve", "--session", session, ...args])),
    startAgain: async () => {
      await up.ended();
      up = await ready(run(["up"]));
      return up;
    },
    reads: async () => {
      const file = join(data, "audit", "records.sqlite");
      const reads = await until("the store", async () =>
        openSqliteReads(file).catch(() => undefined),
      );
      open.push(reads);
      return reads;
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of open) await one[Symbol.asyncDispose]();
      for (const program of programs.filter((one) => one !== up)) {
        await program[Symbol.asyncDispose]();
      }
      up.kill("SIGTERM");
      await up.ended();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

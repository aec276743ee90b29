import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConnectOptions } from "../../src/bus/connect-options.ts";
import { startConnection } from "../../src/bus/start-connection.ts";
import { MAIN } from "../../test/support/askfabric.ts";
import { spreadOf } from "../frame/figures.ts";
import type { Contest, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";
import { CHILD, PARENT } from "../frame/the-ask.ts";

/** Starts in one round; the round's figure is the middle one. */
const STARTS = 9;

async function open(scene: Scene): Promise<Contest> {
  const { url } = await scene.server();
  const home = scene.folder("home");
  const empty = join(home, "empty.mjs");
  writeFileSync(empty, "");
  const { connection } = await startConnection(readConnectOptions({ servers: url }));
  scene.endsWith(async () => connection.close());
  let published = (): void => undefined;
  connection.subscribe("af.v1.*.ask.>", { callback: () => published() });
  await connection.flush();

  const command = ["--tool", "bash", "--input", '{"command":"git push origin main"}'];
  const sessions = ["--session", CHILD, "--parent", PARENT];
  const args = [MAIN, "ask", ...sessions, ...command, "--url", url, "--data", scene.folder("data")];
  const env = { PATH: process.env["PATH"], HOME: home };

  async function bare(): Promise<number> {
    const begun = performance.now();
    await once(spawn(process.execPath, [empty], { stdio: "ignore", env }), "exit");
    return performance.now() - begun;
  }
  async function ask(): Promise<number> {
    const begun = performance.now();
    const program = spawn(process.execPath, args, { stdio: "ignore", env });
    const ended = once(program, "exit");
    const early = async (): Promise<never> => {
      await ended;
      throw new Error("ask ended before its ask was published");
    };
    const asked = new Promise<void>((resolve) => {
      published = resolve;
    });
    await Promise.race([asked, early()]);
    const took = performance.now() - begun;
    program.kill("SIGTERM");
    await ended;
    return took;
  }
  const middle = async (one: () => Promise<number>): Promise<number> => {
    const took: number[] = [];
    for (let start = 0; start < (scene.quick ? 1 : STARTS); start += 1) took.push(await one());
    return spreadOf(took).median;
  };
  // The first start fills the cache of compiled code and makes the journal.
  await ask();
  return { value: async () => middle(ask), baseline: async () => middle(bare) };
}

/** The start of a one-shot ask. */
export const ASK_START: Row = {
  name: "ask-start",
  unit: "ms",
  says: "from the start of `askfabric ask` to its published ask (not its first start: compiled code is at hand), beside the start and end of Node with an empty program",
  goal: { ratioAtMost: 2.5 },
  open,
};

import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { RunningProgram } from "../test/support/askfabric.ts";
import { serverAt } from "../test/support/nats-servers.ts";
import { until } from "../test/support/until.ts";
import type { StormServer } from "./nodes/server.ts";
import { openScene, type Scene } from "./scene.ts";
import { openR3 } from "./topologies/r3.ts";

/** How long after a kill answers are looked at, and how long a cluster gets to be whole again, in milliseconds. */
const AFTER_MS = 4_000;
const WHOLE_MS = 60_000;

/** One ask that a rule answered. */
interface Answered {
  readonly begunAt: number;
  readonly endedAt: number;
}

/** Puts one ask after the other that a rule allows; the answer stops it. */
function askOn(child: RunningProgram, answered: Answered[]): () => void {
  let n = 0;
  let begunAt = 0;
  let over = false;
  const next = (): void => {
    if (over) return;
    n += 1;
    begunAt = performance.now();
    child.say({ id: `steady-${String(n)}`, toolName: "bash", input: { command: `fetch p-${n}` } });
  };
  child.onLine((line) => {
    if (line["id"] !== `steady-${String(n)}` || !("outcome" in line)) return;
    answered.push({ begunAt, endedAt: performance.now() });
    setTimeout(next, 2);
  });
  next();
  return () => {
    over = true;
  };
}

async function leaderOf({ topology }: Scene): Promise<StormServer> {
  return until(
    "the leader of the stream",
    async () => (await topology.cluster?.leader()) ?? undefined,
    WHOLE_MS,
  );
}

/** Whose own server one is. */
function whose({ topology }: Scene, server: StormServer): string {
  const [parent, child] = topology.servers;
  if (server === parent) return "the parent's";
  return server === child ? "the child's" : "neither's";
}

/** Kills the leader of the audit stream again and again, and tells how long asks that a rule answers stand still. */
async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: { server: { type: "string" }, rounds: { type: "string", default: "9" } },
  });
  const program = await serverAt(values.server ?? null);
  await using scene = await openScene({ seed: 1, program, open: openR3 });
  const child = scene.children[0]?.running();
  if (child === undefined || child === null) throw new Error("no child runs");
  const answered: Answered[] = [];
  const stop = askOn(child, answered);
  await until("the first answer", () => answered.length > 0, WHOLE_MS);
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const leader = await leaderOf(scene);
    const own = whose(scene, leader);
    await pause(1_000);
    const killedAt = performance.now();
    await leader.kill();
    await pause(AFTER_MS);
    const during = answered.filter(({ endedAt }) => endedAt > killedAt);
    const longest = Math.max(...during.map(({ begunAt, endedAt }) => endedAt - begunAt));
    process.stdout.write(
      `nats-server ${program.version.text}: leader killed, ${own} own server; longest of ${String(during.length)} answers ${longest.toFixed(0)} ms\n`,
    );
    await leader.start();
    await pause(2_000);
  }
  stop();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  // A scene that did not open leaves servers and links behind: they go with this process.
  process.exit(1);
}

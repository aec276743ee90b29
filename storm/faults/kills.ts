import { setTimeout as sleep } from "node:timers/promises";
import type { Node } from "../nodes/node.ts";
import type { Scene } from "../scene.ts";
import type { StormFault, Strike } from "./fault.ts";

/** Kills a program and starts it again a little later. */
export async function killNode(node: Node, { scene, fired, pause }: Strike): Promise<void> {
  fired(`killed ${node.name}`);
  await node.kill();
  await pause(0, 900);
  await node.start();
  await untilItAnswers(node, scene);
  await pause(100, 700);
}

const ANSWER_MS = 4_000;

/**
 * A child prints no line of its own when it is ready: its first outcome tells. A parent is given as long to bring
 * one about, or one that is killed again and again would decide nothing at all.
 */
async function untilItAnswers(node: Node, { children, feed, sink }: Scene): Promise<void> {
  if (node === sink) return;
  const process = `${node.name}.${String(node.starts())}`;
  const isOwn = children.includes(node);
  const ended = (): number =>
    feed.calls.filter((call) => call.lines.length > 0 && (!isOwn || call.process === process))
      .length;
  const before = isOwn ? 0 : ended();
  const deadline = performance.now() + ANSWER_MS;
  while (ended() === before && performance.now() < deadline) await sleep(20);
}

const killing = (name: string, pick: (strike: Strike) => Node): StormFault => ({
  name: `kill-${name}`,
  strike: async (strike) => killNode(pick(strike), strike),
});

const aChild = ({ scene, random }: Strike): Node =>
  scene.children[random.between(0, scene.children.length - 1)] ?? scene.twin;

/** Parent, child, sink and server, killed as a power cut would and started again on the same data. */
export const KILLS: readonly StormFault[] = [
  killing("parent", ({ scene }) => scene.lead),
  killing("child", aChild),
  killing("sink", ({ scene }) => scene.sink),
  {
    name: "kill-server",
    strike: async ({ scene, random, fired, pause }) => {
      const { servers } = scene.topology;
      const server = servers[random.between(0, servers.length - 1)];
      if (server === undefined) return;
      fired(`killed ${server.name}`);
      await server.kill();
      await pause(0, 900);
      await server.start();
      await pause(300, 900);
    },
  },
];

/** The session between children and the one that decides, killed and started again. */
export const OF_RELAYS: readonly StormFault[] = [
  {
    name: "kill-relay",
    strike: async (strike) => {
      const { middle } = strike.scene;
      if (middle !== null) await killNode(middle, strike);
    },
  },
];

/** The session that is asked first, away for so long that asks move on to the next one. */
export const OF_PAIRS: readonly StormFault[] = [
  {
    name: "failover",
    strike: async ({ scene, fired, pause }) => {
      fired(`killed ${scene.lead.name}, for longer than an ask waits`);
      await scene.lead.kill();
      await pause(1_200, 3_000);
      await scene.lead.start();
      await pause(500, 1_500);
    },
  },
];

/** Every program that runs, the second process of a session only while it does. */
export function nodesOf({ lead, middle, sink, children, twin }: Scene): readonly [Node, ...Node[]] {
  const between = middle === null ? [] : [middle];
  return [lead, ...between, sink, ...children, ...(twin.running() === null ? [] : [twin])];
}

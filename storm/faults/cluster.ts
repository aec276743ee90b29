import type { StormServer } from "../nodes/server.ts";
import type { Way } from "../wire/wire.ts";
import type { StormFault, Strike } from "./fault.ts";

const LAME_DUCK_MS = 30_000;
const WAYS: readonly [readonly ("in" | "out")[], ...(readonly ("in" | "out")[])[]] = [
  ["in", "out"],
  ["in"],
  ["out"],
];

const LINK_WAYS: readonly [readonly Way[], ...(readonly Way[])[]] = [
  ["up"],
  ["down"],
  ["up", "down"],
];

function aServer({ scene, random }: Strike): StormServer {
  const { servers } = scene.topology;
  const server = servers[random.between(0, servers.length - 1)];
  if (server === undefined) throw new RangeError("a topology without servers");
  return server;
}

/** What befalls the servers of a cluster. */
export const OF_CLUSTERS: readonly StormFault[] = [
  {
    name: "kill-leader",
    strike: async ({ scene, fired, pause }) => {
      const leader = await scene.topology.cluster?.leader();
      if (leader === null || leader === undefined) return pause(200, 400);
      fired(`killed ${leader.name}, which led the audit stream`);
      await leader.kill();
      await pause(500, 2_500);
      await leader.start();
      await pause(1_000, 2_500);
    },
  },
  {
    name: "split",
    strike: async (strike) => {
      const server = aServer(strike);
      const { cluster } = strike.scene.topology;
      const ways = strike.random.pick(WAYS);
      strike.fired(
        `nothing goes ${ways.join(" and ")} between ${server.name} and the other servers`,
      );
      cluster?.part(server, ways);
      await strike.pause(1_000, 8_000);
      cluster?.heal(server);
      await strike.pause(1_000, 2_500);
    },
  },
  {
    name: "lame-duck",
    strike: async (strike) => {
      const server = aServer(strike);
      strike.fired(`${server.name} told that it is about to end`);
      server.signal("SIGUSR2");
      await server.ended(LAME_DUCK_MS);
      await strike.pause(0, 500);
      await server.start();
      await strike.pause(1_000, 2_000);
    },
  },
];

/** What befalls the one link of a leaf node. */
export const OF_LEAVES: readonly StormFault[] = [
  {
    name: "cut-leaf",
    strike: async ({ scene, random, fired, pause }) => {
      const { leafLink } = scene.topology;
      if (leafLink === null) return;
      const cuts = random.next() < 0.5;
      fired(cuts ? "cut the link of the leaf node" : "silence on the link of the leaf node");
      if (cuts) leafLink.cut();
      else leafLink.silence(random.pick(LINK_WAYS));
      await pause(500, 4_000);
      leafLink.heal();
      await pause(500, 2_000);
    },
  },
];

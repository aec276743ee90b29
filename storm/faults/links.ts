import type { Node } from "../nodes/node.ts";
import type { Way } from "../wire/wire.ts";
import type { StormFault, Strike } from "./fault.ts";
import { nodesOf } from "./kills.ts";

const WAYS: readonly [readonly Way[], ...(readonly Way[])[]] = [["up"], ["down"], ["up", "down"]];

/** Once in a while longer than two unanswered pings, so that the connection is given up and made anew. */
const LONG_MS = [11_000, 13_000] as const;
const SHORT_MS = [300, 3_000] as const;

function mostlyShort({ random }: Strike): readonly [number, number] {
  return random.next() < 0.15 ? LONG_MS : SHORT_MS;
}

const aNode = ({ scene, random }: Strike): Node => random.pick(nodesOf(scene));

/** What happens to links and to programs that stand still. */
export const LINKS: readonly StormFault[] = [
  {
    name: "cut",
    strike: async (strike) => {
      const node = aNode(strike);
      strike.fired(`cut the link of ${node.name}`);
      node.wire.cut();
      await strike.pause(200, 900);
    },
  },
  {
    name: "partition",
    strike: async (strike) => {
      const node = aNode(strike);
      const ways = strike.random.pick(WAYS);
      strike.fired(`silence ${ways.join(" and ")} on the link of ${node.name}`);
      node.wire.silence(ways);
      await strike.pause(...mostlyShort(strike));
      node.wire.heal();
      await strike.pause(100, 700);
    },
  },
  {
    name: "stop",
    strike: async (strike) => {
      const { scene, random, fired, pause } = strike;
      const all = [...nodesOf(scene), ...scene.topology.servers] as const;
      const one = random.pick<Pick<Node, "name" | "signal">>(all as never);
      fired(`SIGSTOP to ${one.name}`);
      one.signal("SIGSTOP");
      await pause(...mostlyShort(strike));
      one.signal("SIGCONT");
      await pause(100, 700);
    },
  },
  raining("duplicate", "double"),
  raining("reorder", "hold"),
];

/** A shower over every link: counted when a message was really hit. */
function raining(name: string, what: "double" | "hold"): StormFault {
  return {
    name,
    strike: async ({ scene, random, fired, pause }) => {
      const wires = nodesOf(scene).map(({ wire }) => wire);
      const hits = (): number => wires.reduce((sum, wire) => sum + wire.hit(), 0);
      const before = hits();
      const mostMs = random.between(20, 400);
      for (const wire of wires) wire.mischief({ what, chance: 0.3, mostMs });
      await pause(500, 1_500);
      for (const wire of wires) wire.mischief(null);
      const hit = hits() - before;
      const word = what === "double" ? "doubled" : "held back";
      if (hit > 0) fired(`${word} ${String(hit)} messages, up to ${String(mostMs)} ms`);
      await pause(100, 400);
    },
  };
}

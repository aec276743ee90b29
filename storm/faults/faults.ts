import { CHANGES, OF_PROCESSES } from "./changes.ts";
import { OF_CLUSTERS, OF_LEAVES } from "./cluster.ts";
import type { StormFault } from "./fault.ts";
import { KILLS, OF_PAIRS, OF_RELAYS } from "./kills.ts";
import { LINKS } from "./links.ts";
import { SLOW } from "./slow.ts";

/** What befalls processes, one at a time: two strikes at one process are one. */
const PROCESSES: readonly StormFault[] = [...KILLS, ...OF_PROCESSES];

/** What befalls links and what people change, meanwhile. */
const AROUND: readonly StormFault[] = [...LINKS, ...CHANGES, SLOW];

/** What people change. Where an ask has only so long until it moves on, anything else could have it move too often. */
const WHILE_IT_RUNS: readonly StormFault[] = CHANGES.filter(({ name }) => name !== "full");

/** Every fault that can strike servers that are joined so. */
export function faultsOf(topology: string): readonly StormFault[] {
  if (topology === "pair") return [...OF_PAIRS, ...WHILE_IT_RUNS];
  return [...AROUND, ...PROCESSES, ...(OWN[topology] ?? [])];
}

/** All of them at once. */
export function mixOf(topology: string): readonly (readonly StormFault[])[] {
  if (topology === "pair") return [OF_PAIRS, WHILE_IT_RUNS];
  return [[...PROCESSES, ...(OWN[topology] ?? [])], AROUND];
}

const OWN: Readonly<Record<string, readonly StormFault[]>> = {
  r3: OF_CLUSTERS,
  leaf: OF_LEAVES,
  relay: OF_RELAYS,
};

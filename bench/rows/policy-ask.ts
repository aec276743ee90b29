import type { Load, Took } from "../frame/load.ts";
import type { Role } from "../frame/role.ts";
import type { Contest, Goal, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";

interface Sides {
  /** Puts a load through raw `request()`. */
  readonly raw: (load: Load) => Promise<Took>;
  /** Puts a load of asks that a rule of the parent allows. */
  readonly asks: (load: Load) => Promise<Took>;
  readonly roles: Readonly<Record<string, Role>>;
}

async function openSides(scene: Scene, records: "off" | "spool"): Promise<Sides> {
  const { url } = await scene.server();
  const data = records === "off" ? null : scene.folder("data");
  const responder = await scene.role("raw-responder.ts", { url });
  const requester = await scene.role("raw-requester.ts", { url });
  const parent = await scene.role("parent.ts", { url, data });
  const child = await scene.role("child.ts", { url, data });
  return {
    raw: async (load) => requester.ask<Took>("put", load),
    asks: async (load) => child.ask<Took>("put", load),
    roles: { child, parent, requester, responder },
  };
}

interface Measure {
  readonly load: Load;
  readonly pick: (took: Took) => number;
}

const ONE: Measure = { load: { count: 3000, concurrency: 1 }, pick: ({ p50 }) => p50 };
const MANY: Measure = {
  load: { count: 30_000, concurrency: 256 },
  pick: ({ perSecond }) => perSecond,
};

async function openContest(
  scene: Scene,
  records: "off" | "spool",
  { load, pick }: Measure,
): Promise<Contest> {
  const sides = await openSides(scene, records);
  const count = scene.quick ? 300 : load.count;
  const round = { ...load, count };
  for (const side of [sides.raw, sides.asks]) await side(round);
  const before = await cpuOf(sides.roles);
  let rounds = 0;
  return {
    value: async () => {
      rounds += 1;
      return pick(await sides.asks(round));
    },
    baseline: async () => pick(await sides.raw(round)),
    cpu: async () => {
      const after = await cpuOf(sides.roles);
      const each = after.map(([name, us], i) => [
        name,
        (us - (before[i]?.[1] ?? 0)) / (rounds * count),
      ]);
      return Object.fromEntries(each) as Record<string, number>;
    },
  };
}

async function cpuOf(roles: Sides["roles"]): Promise<readonly (readonly [string, number])[]> {
  return Promise.all(
    Object.entries(roles).map(
      async ([name, role]) => [name, await role.ask<number>("cpu")] as const,
    ),
  );
}

function row(
  name: string,
  of: { records: "off" | "spool"; measure: Measure; goal: Goal; says: string },
): Row {
  const unit = of.measure === ONE ? "ms" : "asks/s";
  const { records, measure, goal, says } = of;
  return { name, unit, says, goal, open: async (scene) => openContest(scene, records, measure) };
}

/** An ask of 2 KB that a rule of the parent decides, beside a raw `request()` of the same size. */
export const POLICY_ASKS: readonly Row[] = [
  row("ask-1-off", {
    records: "off",
    measure: ONE,
    goal: { ratioAtMost: 1.5 },
    says: "a 2 KB ask that a rule of the parent allows, one at a time, from the call to its outcome, without records (no program can be set so)",
  }),
  row("ask-1-spool", {
    records: "spool",
    measure: ONE,
    goal: { atMost: 2 },
    says: "the same with every record in the journals of child and parent, as programs run by default",
  }),
  row("ask-256-off", {
    records: "off",
    measure: MANY,
    goal: { ratioAtLeast: 0.85 },
    says: "such asks, 256 under way at a time, without records",
  }),
  row("ask-256-spool", {
    records: "spool",
    measure: MANY,
    goal: { atLeast: 5000 },
    says: "such asks, 256 under way at a time, with every record in the journals",
  }),
];

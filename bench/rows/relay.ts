import type { Took } from "../frame/load.ts";
import type { Row } from "../frame/row.ts";
import { FAR_CHILD, RELAY } from "../frame/the-ask.ts";

/** An ask that passes a session on its way to the rule that allows it, beside one that goes there at once. */
export const RELAYED: Row = {
  name: "relay-two-hops",
  unit: "ms",
  says: "a 2 KB ask that passes a relay on its way to the rule that allows it, one at a time, with every record, beside the same ask put to that session itself",
  goal: { ratioAtMost: 2.2 },
  rounds: 3,
  open: async (scene) => {
    const { url } = await scene.server();
    const data = scene.folder("data");
    const parent = await scene.role("parent.ts", { url, data });
    const relay = await scene.role("relay.ts", { url, data });
    const near = await scene.role("child.ts", { url, data });
    const far = await scene.role("child.ts", { url, data, session: FAR_CHILD, parent: RELAY });
    const load = { count: scene.quick ? 100 : 300, concurrency: 1 };
    const p50 = async (child: typeof near): Promise<number> =>
      (await child.ask<Took>("put", load)).p50;
    for (const child of [near, far]) await p50(child);
    const roles = { near, far, relay, parent };
    const cpu = async (): Promise<Readonly<Record<string, number>>> =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(roles).map(
            async ([name, role]) => [name, await role.ask<number>("cpu")] as const,
          ),
        ),
      );
    const before = await cpu();
    let rounds = 0;
    return {
      value: async () => {
        rounds += 1;
        return p50(far);
      },
      baseline: async () => p50(near),
      cpu: async () =>
        Object.fromEntries(
          Object.entries(await cpu()).map(([name, us]) => [
            name,
            (us - (before[name] ?? 0)) / (rounds * load.count),
          ]),
        ),
    };
  },
};

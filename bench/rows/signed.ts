import { mintKey } from "../../src/wire/nkey.ts";
import type { Took } from "../frame/load.ts";
import type { Role } from "../frame/role.ts";
import type { Row } from "../frame/row.ts";
import { SIGNED_CHILD, SIGNED_PARENT } from "../frame/the-ask.ts";

/** What it takes longer when the parent signs and the child checks. */
export const SIGNED: Row = {
  name: "signed-decision",
  unit: "ms",
  says: "what an ask of ask-1-off takes longer at the median when its decision is signed and the signature is demanded, both put in turns within each round",
  goal: { atMost: 0.3 },
  open: async (scene) => {
    const { url } = await scene.server();
    const { seed, key } = mintKey("user");
    const names = { session: SIGNED_CHILD, parent: SIGNED_PARENT };
    await scene.role("parent.ts", { url, data: null });
    await scene.role("parent.ts", { url, data: null, session: SIGNED_PARENT, signsWith: seed });
    const plain = await scene.role("child.ts", { url, data: null });
    const demands = { requireSigners: [key.publicKey] };
    const signed = await scene.role("child.ts", { url, data: null, ...names, ...demands });
    const load = { count: scene.quick ? 100 : 3000, concurrency: 1 };
    const p50 = async (child: Role): Promise<number> => (await child.ask<Took>("put", load)).p50;
    for (const child of [plain, signed]) await p50(child);
    return { value: async () => (await p50(signed)) - (await p50(plain)) };
  },
};

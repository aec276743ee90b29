import { type Ruling, resolutionOf } from "../../../src/ask/decision.ts";
import { toWireId } from "../../../src/ask/request-id.ts";
import type { Ops } from "./ops.ts";

/** Operations on the ask room. */
export const askOps: Ops = {
  wireId: ({ id }: { id: string }) => toWireId(id),
  resolution: (ruling: Pick<Ruling, "approved" | "state" | "decidedBy">) => ({
    resolution: resolutionOf(ruling),
  }),
};

import { askOps } from "./ops/ask.ts";
import type { Ops } from "./ops/ops.ts";
import { wireOps } from "./ops/wire.ts";

/** Operations of the conformance cases by name. One file per room below `ops`; they translate shapes only. */
export const ops: Ops = { ...askOps, ...wireOps };

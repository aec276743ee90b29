import { askOps } from "./ops/ask.ts";
import { chainOps } from "./ops/chain.ts";
import type { Ops } from "./ops/ops.ts";
import { renderOps } from "./ops/render.ts";
import { wireOps } from "./ops/wire.ts";

/** Operations of the conformance cases by name. One file per room below `ops`; they translate shapes only. */
export const ops: Ops = { ...askOps, ...chainOps, ...renderOps, ...wireOps };

import { askOps } from "./ops/ask.ts";
import { chainOps } from "./ops/chain.ts";
import { configOps } from "./ops/config.ts";
import { gatesOps } from "./ops/gates.ts";
import type { Ops } from "./ops/ops.ts";
import { policyOps } from "./ops/policy.ts";
import { renderOps } from "./ops/render.ts";
import { shellOps } from "./ops/shell.ts";
import { wireOps } from "./ops/wire.ts";

/** Operations of the conformance cases by name. One file per room below `ops`; they translate shapes only. */
export const ops: Ops = {
  ...askOps,
  ...chainOps,
  ...configOps,
  ...gatesOps,
  ...policyOps,
  ...renderOps,
  ...shellOps,
  ...wireOps,
};

import { homedir } from "node:os";
import { gateContextOf } from "../../src/child/gate-context.ts";
import { judgeCall } from "../../src/child/judge-call.ts";
import { realPath } from "../../src/gates/real-path.ts";
import { composePolicy } from "../../src/policy/compose-policy.ts";
import { prepareJudging } from "../../src/policy/prepare-judging.ts";
import { type Load, putLoad } from "../frame/load.ts";
import { serveRole } from "../frame/serve-role.ts";
import { chainedCall, rulesOf, typicalCall } from "../frame/the-verdict.ts";

/** Judges shell calls as a child does before it asks anybody. No call is like another: each is parsed. */
await serveRole(async ({ rules, units }: { rules: number; units: number | null }) => {
  await prepareJudging();
  const gates = gateContextOf({ home: homedir() }, realPath);
  const context = { policy: composePolicy(rulesOf(rules), gates), gates, grants: [], agent: null };
  const cwd = process.cwd();
  let calls = 0;
  const one = async (): Promise<void> => {
    calls += 1;
    const call = units === null ? typicalCall(calls, cwd) : chainedCall(calls, cwd, units);
    const { state } = judgeCall(call, context);
    if (state !== "allow") throw new Error(`a call was judged ${state}`);
    return Promise.resolve();
  };
  return { put: async (load: Load) => putLoad(load, one) };
});

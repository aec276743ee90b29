import type { GrantPattern } from "../../../src/ask/grant.ts";
import { composePolicy } from "../../../src/policy/compose-policy.ts";
import { analyzeShell } from "../../../src/shell/analyze-shell.ts";
import { loadShell } from "../../../src/shell/load-shell.ts";
import type { Ops } from "./ops.ts";
import { type CaseConfig, grantsOf, sourcesOf } from "./scenery.ts";

await loadShell();

/** Operations of the conformance cases that the shell room answers. */
export const shellOps: Ops = {
  evaluateShell: (input: {
    config: CaseConfig;
    session?: readonly GrantPattern[];
    command: string;
  }) => {
    const { units } = analyzeShell(input.command);
    const policy = composePolicy(sourcesOf(input.config), { home: "/home/ann", platform: "linux" });
    const verdict = policy.judge({
      facts: { surface: "bash", matchValues: [input.command], boundaryValue: null, units },
      agent: null,
      grants: grantsOf(input.session),
    });
    return {
      state: verdict.state,
      unit: verdict.unit?.value ?? null,
      matchedPattern: verdict.matchedPattern,
      context: verdict.unit?.context ?? null,
      units,
    };
  },
};

import type { Ruling } from "../../../src/ask/decision.ts";
import type { ForwardedAccessIntent } from "../../../src/ask/facts.ts";
import type { GrantPattern, GrantSuggestion, GrantWidth } from "../../../src/ask/grant.ts";
import type { GrantScope } from "../../../src/ask/ports.ts";
import { applyGrantScope } from "../../../src/parent/grant-scope.ts";
import { composePolicy } from "../../../src/policy/compose-policy.ts";
import { patternMatches } from "../../../src/policy/pattern.ts";
import type { AgentClaim } from "../../../src/policy/policy.ts";
import type { Ops } from "./ops.ts";
import { type CaseConfig, grantsOf, sourcesOf } from "./scenery.ts";

interface Judged {
  readonly config: CaseConfig;
  readonly session?: readonly GrantPattern[];
}

const HOME = "/home/ann";

/** Operations of the conformance cases that the policy room answers. */
export const policyOps: Ops = {
  wildcard: (input: {
    pattern: string;
    value: string;
    surface?: string;
    platform?: NodeJS.Platform;
    home?: string;
  }) => ({
    matches: patternMatches(input.pattern, input.value, {
      surface: input.surface ?? "bash",
      platform: input.platform ?? "linux",
      home: input.home ?? HOME,
    }),
  }),

  evaluate: (
    input: Judged & {
      agent?: AgentClaim;
      surface: string;
      values: string[];
      platform?: NodeJS.Platform;
      home?: string;
    },
  ) => {
    const policy = composePolicy(sourcesOf(input.config), {
      home: input.home ?? HOME,
      platform: input.platform ?? "linux",
    });
    const { state, matchedPattern, origin, reason } = policy.judge({
      facts: { surface: input.surface, matchValues: input.values, boundaryValue: null },
      agent: input.agent ?? null,
      grants: grantsOf(input.session),
    });
    return { state, matchedPattern, origin, reason };
  },

  judgeForwarded: (
    input: Judged & {
      accessIntent: ForwardedAccessIntent | null;
      attestedAgent: string | null;
    },
  ) =>
    composePolicy(sourcesOf(input.config), { home: HOME, platform: "linux" }).judgeForwarded({
      intent: input.accessIntent,
      attestedAgent: input.attestedAgent,
      grants: grantsOf(input.session),
    }),

  applyGrantScope: (input: {
    scope: GrantScope;
    sessionApproval: GrantSuggestion | null;
    width?: GrantWidth;
  }) => {
    const approval: Ruling = {
      approved: true,
      state: "approved",
      decidedBy: { kind: "user", via: "dialog" },
      ...(input.width !== undefined && { sessionGrantWidth: input.width }),
    };
    const { ruling, recorded } = applyGrantScope(approval, input.scope, input.sessionApproval);
    const { approved, state, sessionGrantWidth } = ruling;
    return { approved, state, sessionGrantWidth, recorded };
  },
};

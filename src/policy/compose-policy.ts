import type { Grant } from "../ask/grant.ts";
import { type Evidence, forwardedEvidence, judgeEvidence, ownEvidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { forwardedVerdict, UNDECIDED } from "./forwarded-verdict.ts";
import { grantMatcher } from "./grants.ts";
import { overlay, overlaysOf } from "./overlays.ts";
import type { PolicyContext } from "./pattern.ts";
import type { Policy } from "./policy.ts";
import { composeRuleSets, type Sets } from "./rule-sets.ts";
import type { RuleSet } from "./rules.ts";
import type { PolicySources } from "./sources.ts";
import { strictest } from "./strictness.ts";

/**
 * Composes rules in their order: universal default, MCP baseline, global, project, agent, project-agent,
 * grants; then the overlays. Never throws; the sources must not change afterwards.
 */
export function composePolicy(sources: PolicySources, context: PolicyContext): Policy {
  const overlays = overlaysOf(sources);
  const grantMatches = grantMatcher(context);
  const ruleSets = composeRuleSets(sources, context);
  const judgeBy = (sets: Sets, evidence: Evidence, grants: readonly Grant[]): Finding => {
    const [first, ...others] = sets;
    const judge = (rules: RuleSet): Finding =>
      judgeEvidence(evidence, { rules, grants, grantMatches, context });
    return overlay(strictest(judge(first), ...others.map(judge)), overlays, !evidence.incomplete);
  };
  return Object.freeze<Policy>({
    judge: ({ facts, agent, grants }) =>
      judgeBy(ruleSets.of(agent), ownEvidence(facts, context), grants).verdict,
    judgeForwarded: ({ intent, attestedAgent, grants }) => {
      if (intent === null) return UNDECIDED;
      const sets = ruleSets.ofClaim(intent, attestedAgent);
      return forwardedVerdict(judgeBy(sets, forwardedEvidence(intent, context), grants));
    },
  });
}

import type { ForwardedAccessIntent } from "../ask/facts.ts";
import type { Grant } from "../ask/grant.ts";
import { type Evidence, forwardedEvidence, judgeEvidence, ownEvidence } from "./evidence.ts";
import type { Finding } from "./finding.ts";
import { forwardedVerdict, UNDECIDED } from "./forwarded-verdict.ts";
import { grantMatcher } from "./grants.ts";
import { overlay, overlaysOf } from "./overlays.ts";
import type { PolicyContext } from "./pattern.ts";
import type { AgentClaim, Policy } from "./policy.ts";
import { type Composer, type RuleSet, ruleComposer } from "./rules.ts";
import type { PolicySources } from "./sources.ts";
import { strictest } from "./strictness.ts";

/**
 * Composes rules in their order: universal default, MCP baseline, global, project, agent, project-agent,
 * grants; then the overlays. Never throws; the sources must not change afterwards.
 */
export function composePolicy(sources: PolicySources, context: PolicyContext): Policy {
  const overlays = overlaysOf(sources);
  const grantMatches = grantMatcher(context);
  const compose = ruleComposer(sources, context);
  const everybody = compose(null);
  const ofAgent = rememberAgents(sources, compose, everybody);
  const judgeBy = (sets: Sets, evidence: Evidence, grants: readonly Grant[]): Finding => {
    const [first, ...others] = sets;
    const judge = (rules: RuleSet): Finding =>
      judgeEvidence(evidence, { rules, grants, grantMatches, context });
    return overlay(strictest(judge(first), ...others.map(judge)), overlays, !evidence.incomplete);
  };
  return Object.freeze<Policy>({
    judge: ({ facts, agent, grants }) =>
      judgeBy(setsFor(agent, ofAgent, everybody), ownEvidence(facts, context), grants).verdict,
    judgeForwarded: ({ intent, attestedAgent, grants }) => {
      if (intent === null) return UNDECIDED;
      const sets = setsForClaim(intent, attestedAgent, { ofAgent, everybody });
      return forwardedVerdict(judgeBy(sets, forwardedEvidence(intent, context), grants));
    },
  });
}

/** The sets of rules of which the stricter counts. */
type Sets = readonly [RuleSet, ...RuleSet[]];

type AgentRules = (name: string) => RuleSet;

/** Composes an agent's rules when they are first asked; agents without rules of their own have everybody's. */
function rememberAgents(sources: PolicySources, compose: Composer, everybody: RuleSet): AgentRules {
  const known = new Map<string, RuleSet>();
  return (name) => {
    if (!sources.agents?.has(name) && !sources.projectAgents?.has(name)) return everybody;
    const rules = known.get(name) ?? compose(name);
    known.set(name, rules);
    return rules;
  };
}

/** A claimed name has its rules beside everybody's, so that the stricter counts; an attested one its own. */
function setsFor(agent: AgentClaim | null, ofAgent: AgentRules, everybody: RuleSet): Sets {
  if (agent === null) return [everybody];
  const own = ofAgent(agent.name);
  return agent.attested || own === everybody ? [own] : [everybody, own];
}

/** A session that claims another name than the roster holds does not escape the rules of the latter. */
function setsForClaim(
  intent: ForwardedAccessIntent,
  attestedAgent: string | null,
  rules: { readonly ofAgent: AgentRules; readonly everybody: RuleSet },
): Sets {
  const name = intent.principal.agentName;
  const attested = name === attestedAgent;
  const sets = setsFor({ name, attested }, rules.ofAgent, rules.everybody);
  return attested || attestedAgent === null ? sets : [...sets, rules.ofAgent(attestedAgent)];
}

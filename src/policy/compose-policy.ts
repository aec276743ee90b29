import type { ForwardedAccessIntent } from "../ask/facts.ts";
import type { Grant } from "../ask/grant.ts";
import type { Finding } from "./finding.ts";
import { grantMatcher } from "./grants.ts";
import { isIncomplete, judgeFacts } from "./judge-facts.ts";
import { forwardedVerdict, judgeEvidence, readEvidence, UNDECIDED } from "./judge-forwarded.ts";
import { overlay, overlaysOf } from "./overlays.ts";
import type { PolicyContext } from "./pattern.ts";
import type { AgentClaim, Policy } from "./policy.ts";
import type { Ground } from "./resolve.ts";
import { composeRules, type RuleSet } from "./rules.ts";
import type { PolicySources } from "./sources.ts";
import { strictest } from "./strictness.ts";

/**
 * Composes rules in their order: universal default, MCP baseline, global, project, agent, project-agent,
 * grants; then the overlays. Never throws; the sources must not change afterwards.
 */
export function composePolicy(sources: PolicySources, context: PolicyContext): Policy {
  const overlays = overlaysOf(sources);
  const grantMatches = grantMatcher(context);
  const everybody = composeRules(sources, context, null);
  const ofAgent = rememberAgents(sources, context, everybody);
  const judgeBy = (
    sets: readonly RuleSet[],
    grants: readonly Grant[],
    judge: (ground: Ground) => Finding,
  ): Finding => {
    const [first, ...others] = (sets.length > 0 ? sets : [everybody]).map((rules) =>
      judge({ rules, grants, grantMatches, context }),
    );
    return first === undefined
      ? judge({ rules: everybody, grants, grantMatches, context })
      : strictest(first, ...others);
  };
  return Object.freeze<Policy>({
    judge: ({ facts, agent, grants }) => {
      const finding = judgeBy(setsFor(agent, ofAgent, everybody), grants, (ground) =>
        judgeFacts(facts, ground),
      );
      return overlay(finding, overlays, !isIncomplete(facts)).verdict;
    },
    judgeForwarded: ({ intent, attestedAgent, grants }) => {
      if (intent === null) return UNDECIDED;
      const evidence = readEvidence(intent);
      const finding = judgeBy(
        setsForClaim(intent, attestedAgent, { ofAgent, everybody }),
        grants,
        (ground) => judgeEvidence(evidence, ground),
      );
      return forwardedVerdict(overlay(finding, overlays, !evidence.incomplete));
    },
  });
}

type AgentRules = (name: string) => RuleSet;

/** Composes each agent's rules once; agents without rules of their own have everybody's. */
function rememberAgents(
  sources: PolicySources,
  context: PolicyContext,
  everybody: RuleSet,
): AgentRules {
  const known = new Map<string, RuleSet>();
  const names = [...(sources.agents?.keys() ?? []), ...(sources.projectAgents?.keys() ?? [])];
  for (const name of names) {
    if (!known.has(name)) known.set(name, composeRules(sources, context, name));
  }
  return (name) => known.get(name) ?? everybody;
}

/** A claimed name has its rules beside everybody's, so that the stricter counts; an attested one its own. */
function setsFor(agent: AgentClaim | null, ofAgent: AgentRules, everybody: RuleSet): RuleSet[] {
  if (agent === null) return [everybody];
  const own = ofAgent(agent.name);
  return agent.attested || own === everybody ? [own] : [everybody, own];
}

/** A session that claims another name than the roster holds does not escape the rules of the latter. */
function setsForClaim(
  intent: ForwardedAccessIntent,
  attestedAgent: string | null,
  rules: { readonly ofAgent: AgentRules; readonly everybody: RuleSet },
): RuleSet[] {
  const name = intent.principal.agentName;
  const attested = name === attestedAgent;
  const sets = setsFor({ name, attested }, rules.ofAgent, rules.everybody);
  return attested || attestedAgent === null ? sets : [...sets, rules.ofAgent(attestedAgent)];
}

import type { ForwardedAccessIntent } from "../ask/facts.ts";
import type { PolicyContext } from "./pattern.ts";
import type { AgentClaim } from "./policy.ts";
import { type Composer, type RuleSet, ruleComposer } from "./rules.ts";
import type { PolicySources } from "./sources.ts";

/** The sets of rules of which the stricter counts. */
export type Sets = readonly [RuleSet, ...RuleSet[]];

/** Finds the sets of rules that hold for whoever asks. */
export interface RuleSets {
  /** For a request of this machine. */
  of(agent: AgentClaim | null): Sets;
  /** For a forwarded ask; `attestedAgent` is the name this node's roster holds for the asking session. */
  ofClaim(intent: ForwardedAccessIntent, attestedAgent: string | null): Sets;
}

/** Composes the rules of a configuration; those of an agent when they are first asked. */
export function composeRuleSets(sources: PolicySources, context: PolicyContext): RuleSets {
  const compose = ruleComposer(sources, context);
  const everybody = compose(null);
  const ofAgent = rememberAgents(sources, compose, everybody);
  /** A claimed name has its rules beside everybody's, so that the stricter counts; an attested one its own. */
  const of = (agent: AgentClaim | null): Sets => {
    if (agent === null) return [everybody];
    const own = ofAgent(agent.name);
    return agent.attested || own === everybody ? [own] : [everybody, own];
  };
  return {
    of,
    // A session that claims another name than the roster holds does not escape the rules of the latter.
    ofClaim: ({ principal }, attestedAgent) => {
      const name = principal.agentName;
      const attested = name === attestedAgent;
      const sets = of({ name, attested });
      return attested || attestedAgent === null ? sets : [...sets, ofAgent(attestedAgent)];
    },
  };
}

/** Agents without rules of their own have everybody's. */
function rememberAgents(
  sources: PolicySources,
  compose: Composer,
  everybody: RuleSet,
): (name: string) => RuleSet {
  const known = new Map<string, RuleSet>();
  return (name) => {
    if (!sources.agents?.has(name) && !sources.projectAgents?.has(name)) return everybody;
    const rules = known.get(name) ?? compose(name);
    known.set(name, rules);
    return rules;
  };
}

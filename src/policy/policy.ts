import type { ForwardedAccessFacts, ForwardedAccessIntent } from "../ask/facts.ts";
import type { Grant } from "../ask/grant.ts";
import type { ForwardedVerdict, RuleVerdict } from "../ask/verdict.ts";

/** The claimed agent name of a query and whether this node attests it. */
export interface AgentClaim {
  readonly name: string;
  readonly attested: boolean;
}

/** One question to the rules. */
export interface PolicyQuery {
  readonly facts: ForwardedAccessFacts;
  readonly agent: AgentClaim | null;
  /** Grants in force; only ever turn an ask into an allow. */
  readonly grants: readonly Grant[];
}

/** Composed rules, frozen. Judging is pure and never throws. */
export interface Policy {
  /** Judges one request of a tool call by the rules of the machine that runs it. */
  judge(query: PolicyQuery): RuleVerdict;
  /** Judges a forwarded ask by the rules of the node that serves it. */
  judgeForwarded(query: {
    readonly intent: ForwardedAccessIntent | null;
    /** The name this node's roster holds for the asking session; null when none. */
    readonly attestedAgent: string | null;
    readonly grants: readonly Grant[];
  }): ForwardedVerdict;
}

import type { RuleAction } from "../ask/verdict.ts";

const RANK: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** Says whether `a` restricts more than `b`. */
export function isStricter(a: RuleAction, b: RuleAction): boolean {
  return RANK[a] > RANK[b];
}

/** The first of the most restrictive findings. */
export function strictest<T extends { readonly state: RuleAction }>(
  first: T,
  ...others: readonly T[]
): T {
  let worst = first;
  for (const other of others) if (isStricter(other.state, worst.state)) worst = other;
  return worst;
}

import type { RuleAction, RuleVerdict } from "../ask/verdict.ts";

/** A verdict with the sentinel that turned an allow into its ask. */
export interface Finding {
  readonly state: RuleAction;
  readonly verdict: RuleVerdict;
  readonly floor: string | null;
}

/** Takes a verdict as it is. */
export function findingOf(verdict: RuleVerdict): Finding {
  return { state: verdict.state, verdict, floor: null };
}

/** Turns an allow into an ask that names the sentinel; never touches an ask or a deny. */
export function floored(finding: Finding, floor: string | null): Finding {
  if (floor === null || finding.state !== "allow") return finding;
  const { grantId: _, ...verdict } = finding.verdict;
  return { state: "ask", verdict: { ...verdict, state: "ask", matchedPattern: floor }, floor };
}

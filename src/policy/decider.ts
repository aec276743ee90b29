import type { DecisionSource } from "../ask/decision.ts";
import type { RuleVerdict } from "../ask/verdict.ts";

/** Names who decided when the rules did. */
export function deciderOf(verdict: RuleVerdict): DecisionSource {
  const { surface, matchedPattern: pattern, origin, grantId } = verdict;
  if (origin === "yolo") return { kind: "yolo", pattern };
  if (origin !== "session") return { kind: "rule", surface, pattern, origin };
  return { kind: "session_approval", surface, pattern, ...(grantId !== undefined && { grantId }) };
}

import { type DecisionSource, effectiveDecider, MAX_FRAMES } from "../ask/decision.ts";
import { isLostReason, type LostReason } from "../ask/lost.ts";
import type { Decision } from "../ask/messages.ts";
import type { ChildAskEnd } from "../journal/journal.ts";
import type { AskEnding } from "./ask-case.ts";

/**
 * Why a decision is no ruling although it came as one: its effective decider could not decide. Null for a
 * ruling, and for every approval.
 */
export function lossOf(decision: Pick<Decision, "approved" | "decidedBy">): LostReason | null {
  if (decision.approved) return null;
  const decider = effectiveDecider(decision.decidedBy);
  if (decider.kind === "gate_error") return "gate_error";
  if (decider.kind !== "unavailable") return null;
  return isLostReason(decider.reason) ? decider.reason : "not_serving";
}

/**
 * Who decided, as the child says it: what the parent names, in a frame around the parent that was asked. The
 * frame holds the session that the server attests, never the one a body claims. A chain of frames that is as
 * long as it may be stays as it is.
 */
export function framed(decision: Pick<Decision, "decidedBy">, parent: string): DecisionSource {
  let frames = 0;
  let inner: DecisionSource | null = decision.decidedBy;
  for (; inner?.kind === "forwarded"; inner = inner.decision) frames += 1;
  if (frames >= MAX_FRAMES) return decision.decidedBy;
  return { kind: "forwarded", responderSessionId: parent, decision: decision.decidedBy };
}

/** Who decided about an ask that was lost: nobody, for this reason, at that session. */
export function deciderOfLoss(lost: LostReason, at: string): DecisionSource {
  return lost === "gate_error"
    ? { kind: "gate_error", reason: lost }
    : { kind: "unavailable", reason: lost, at };
}

/** The end an ending writes into the ask's row. */
export function rowEnd(ending: AskEnding, endedAt: number): ChildAskEnd {
  if (ending.kind === "lost") {
    return { outcome: "lost", decisionDigest: null, lost: ending.lost, endedAt };
  }
  const { decision, decisionDigest } = ending;
  const lost = lossOf(decision);
  if (lost !== null) return { outcome: "lost", decisionDigest, lost, endedAt };
  return { outcome: decision.approved ? "allowed" : "denied", decisionDigest, lost, endedAt };
}

import type { LostReason } from "../ask/lost.ts";
import type { CancelReason, ReceiptEffect } from "../ask/messages.ts";
import {
  type AskEffect,
  type AskEvent,
  type AskState,
  type AskStatus,
  type AskStep,
  REPEAT_FIRST_MS,
} from "./ask-status.ts";

/** Says whether an ask in this state has its outcome. */
export function isEnd(state: AskState): state is "decided" | "lost" {
  return state === "decided" || state === "lost";
}

/** Leaves an ask where it is. */
export function stay(status: AskStatus): AskStep {
  return { status, effects: [] };
}

/**
 * Ends an ask as lost. `why` names the cancel that goes to the parent when somebody may hold the ask;
 * null when the parent has ended it already.
 */
export function ended(status: AskStatus, lost: LostReason, why: CancelReason | null): AskStep {
  const mayBeHeld = status.unanswered > 0 || status.state === "accepted";
  return {
    status: { ...status, state: "lost", publishAt: null },
    effects: [{ kind: "lose", lost, cancel: mayBeHeld ? why : null }],
  };
}

/** Leaves a parent that has not accepted the ask: for the next one, or as lost where none follows. */
export function leaveParent(status: AskStatus, lost: LostReason, why: CancelReason): AskStep {
  if (status.othersLeft === 0) return ended(status, lost, why);
  return {
    status: {
      ...status,
      state: "created",
      othersLeft: status.othersLeft - 1,
      sentAt: null,
      publishAt: null,
      pauseMs: REPEAT_FIRST_MS,
      refusedLast: false,
      unservedSince: null,
    },
    effects: [{ kind: "move", lost }],
  };
}

/** Ends an ask by a decision. */
export function decided(status: AskStatus, decisionDigest: string): AskStep {
  return {
    status: { ...status, state: "decided", decisionDigest, publishAt: null },
    effects: [{ kind: "apply", decisionDigest }, receipt(decisionDigest, "applied")],
  };
}

/** Ends an ask whose time is over, with the reason that is true by then. */
export function endedAtDeadline(status: AskStatus): AskStep {
  return ended(status, lostAtDeadline(status), "timed_out");
}

/** Moves an ended ask on: only receipts go out, and a decision the journal refused is no decision. */
export function afterEnd(status: AskStatus, event: AskEvent): AskStep {
  if (event.kind === "decision") {
    const same = status.state === "decided" && event.decisionDigest === status.decisionDigest;
    return { status, effects: [receipt(event.decisionDigest, same ? "duplicate" : "late")] };
  }
  if (event.kind === "unwritten" && status.state === "decided" && status.decisionDigest !== null) {
    const lost = ended({ ...status, decisionDigest: null }, event.lost, null);
    return { ...lost, effects: [...lost.effects, receipt(status.decisionDigest, "late")] };
  }
  return stay(status);
}

function lostAtDeadline(status: AskStatus): LostReason {
  if (status.state === "accepted") return "timed_out";
  if (status.cutSince !== null) return "bus_unreachable";
  return status.refusedLast ? "not_serving" : "timed_out";
}

function receipt(decisionDigest: string, effect: ReceiptEffect): AskEffect {
  return { kind: "receipt", decisionDigest, effect };
}

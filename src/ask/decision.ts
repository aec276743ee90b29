import { MAX_HOPS } from "./ask.ts";
import type { GrantWidth } from "./grant.ts";

/** The ways a person answers. Closed list. */
export const ANSWER_WAYS = ["dialog", "select", "terminal", "stdin", "inbox", "operator"] as const;

/** One of {@link ANSWER_WAYS}. */
export type AnswerWay = (typeof ANSWER_WAYS)[number];

/** Who decided one ask. Required on every decision; on the wire and in records, never in a live event. */
export type DecisionSource =
  | { readonly kind: "user"; readonly via: AnswerWay; readonly approver?: string }
  | {
      readonly kind: "authorizer";
      readonly name: string;
      readonly verdict: "allow" | "deny";
      readonly reason: string | null;
    }
  | {
      readonly kind: "rule";
      readonly surface: string;
      readonly pattern: string | null;
      readonly origin: string | null;
    }
  | {
      readonly kind: "session_approval";
      readonly surface: string;
      readonly pattern: string | null;
      readonly grantId?: string;
    }
  | { readonly kind: "yolo"; readonly pattern: string | null }
  | { readonly kind: "infrastructure_read" }
  | { readonly kind: "unavailable"; readonly reason: string; readonly at?: string }
  | { readonly kind: "gate_error"; readonly reason: string }
  | {
      readonly kind: "forwarded";
      readonly responderSessionId: string | null;
      readonly decision: DecisionSource | null;
    };

/** Most `forwarded` frames a decider may be wrapped in. */
export const MAX_FRAMES = MAX_HOPS;

/** States of a decision on the wire. Closed list. */
export const DECISION_STATES = [
  "approved",
  "approved_for_session",
  "denied",
  "denied_with_reason",
] as const;

/** One of {@link DECISION_STATES}. */
export type DecisionState = (typeof DECISION_STATES)[number];

/** A ruling with its author, as the deciding node states it. */
export interface Ruling {
  readonly approved: boolean;
  readonly state: DecisionState;
  /** Present with `denied_with_reason`: the words of whoever denied, unchanged. */
  readonly denialReason?: string;
  readonly decidedBy: DecisionSource;
  /** Present with `approved_for_session` where directions exist. */
  readonly sessionGrantWidth?: GrantWidth;
}

/** The innermost source under all `forwarded` frames; a frame around null is its own. */
export function effectiveDecider(source: DecisionSource): DecisionSource {
  let inner = source;
  while (inner.kind === "forwarded" && inner.decision !== null) inner = inner.decision;
  return inner;
}

/** The ways a gate or an ask is resolved, in the vocabulary of live events. Closed list. */
export const RESOLUTIONS = [
  "policy_allow",
  "policy_deny",
  "session_approved",
  "infrastructure_auto_allowed",
  "auto_approved",
  "authorizer_allowed",
  "authorizer_denied",
  "confirmation_unavailable",
  "gate_error",
  "user_approved",
  "user_approved_for_session",
  "user_denied",
] as const;

/** One of {@link RESOLUTIONS}. */
export type Resolution = (typeof RESOLUTIONS)[number];

/** Names the resolution of a decision from its effective decider. */
export function resolutionOf(ruling: Pick<Ruling, "approved" | "state" | "decidedBy">): Resolution {
  const decider = effectiveDecider(ruling.decidedBy);
  switch (decider.kind) {
    case "rule":
      return ruling.approved ? "policy_allow" : "policy_deny";
    case "session_approval":
      return "session_approved";
    case "infrastructure_read":
      return "infrastructure_auto_allowed";
    case "yolo":
      return "auto_approved";
    case "authorizer":
      return ruling.approved ? "authorizer_allowed" : "authorizer_denied";
    case "unavailable":
      return "confirmation_unavailable";
    case "gate_error":
      return "gate_error";
    case "user":
    case "forwarded":
      if (!ruling.approved) return "user_denied";
      return ruling.state === "approved_for_session"
        ? "user_approved_for_session"
        : "user_approved";
  }
}

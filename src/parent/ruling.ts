import { type DecisionSource, effectiveDecider, type Ruling } from "../ask/decision.ts";
import type { LiveAsk, Serving } from "./serving.ts";

/**
 * The ruling of a node whose own machinery failed: a denial that names the part, never a person. The error's
 * own words stay in the log of this machine.
 */
export function gateError(
  serving: Serving,
  live: Pick<LiveAsk, "ask">,
  fault: { readonly what: string; readonly error: unknown },
): Ruling {
  serving.counters.count("failed");
  serving.log.error({ err: fault.error, requestId: live.ask.id }, fault.what);
  return {
    approved: false,
    state: "denied",
    decidedBy: { kind: "gate_error", reason: fault.what },
  };
}

/**
 * A ruling in the one form its child reads: approval, state and decider agree. Null when they contradict each
 * other, so that nothing unclear is ever an allow.
 */
export function soundRuling(ruling: Ruling): Ruling | null {
  if (ruling.approved !== mayApprove(ruling)) return null;
  if (ruling.approved) return ruling;
  const { decidedBy, denialReason } = ruling;
  return denialReason === undefined || denialReason === ""
    ? { approved: false, state: "denied", decidedBy }
    : { approved: false, state: "denied_with_reason", denialReason, decidedBy };
}

function mayApprove(ruling: Ruling): boolean {
  const approving = ruling.state === "approved" || ruling.state === "approved_for_session";
  return approving && !refuses(effectiveDecider(ruling.decidedBy));
}

function refuses(decider: DecisionSource): boolean {
  if (decider.kind === "authorizer") return decider.verdict !== "allow";
  return decider.kind === "unavailable" || decider.kind === "gate_error";
}

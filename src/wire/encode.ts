import type { Ask } from "../ask/ask.ts";
import type { DecisionSource } from "../ask/decision.ts";
import type { Cancel, Decision, Presence, Receipt, Refused } from "../ask/messages.ts";
import type { DecMessage } from "./dec.ts";

/** Writes an ask as the JSON text of its body: revision 1, fields in a fixed order, nothing but the table's. */
export function encodeAsk(value: Ask): string {
  return JSON.stringify({
    v: 1,
    id: value.id,
    createdAt: value.createdAt,
    expiresAt: value.expiresAt,
    requesterSessionId: value.requesterSessionId,
    targetSessionId: value.targetSessionId,
    requesterAgentName: value.requesterAgentName,
    nonce: value.nonce,
    source: value.source,
    payload: value.payload,
    surface: value.surface,
    value: value.value,
    sessionApproval: value.sessionApproval,
    accessIntent: value.accessIntent,
    origin: value.origin,
    path: value.path,
    toolCallId: value.toolCallId,
    actionDigest: value.actionDigest,
  });
}

/** Writes a message of the decision subject as the JSON text of its body: revision 1, field by field. */
export function encodeDec({ kind, message }: DecMessage): string {
  switch (kind) {
    case "decision":
      return JSON.stringify(decisionBody(message));
    case "refused":
      return JSON.stringify(refusedBody(message));
    case "withdrawn":
      return JSON.stringify({ v: 1, requestId: message.requestId, effect: message.effect });
    case "accepted":
    case "progress":
      return JSON.stringify({
        v: 1,
        requestId: message.requestId,
        askDigest: message.askDigest,
        incarnation: message.incarnation,
        state: message.state,
        ...(kind === "progress" ? { heldBy: message.heldBy, ahead: message.ahead } : {}),
      });
  }
}

/** Writes a receipt as the JSON text of its body. */
export function encodeReceipt(receipt: Receipt): string {
  return JSON.stringify({
    v: 1,
    requestId: receipt.requestId,
    decisionDigest: receipt.decisionDigest,
    effect: receipt.effect,
  });
}

/** Writes a cancel as the JSON text of its body. */
export function encodeCancel(cancel: Cancel): string {
  return JSON.stringify({ v: 1, requestId: cancel.requestId, why: cancel.why });
}

/** Writes a presence as the JSON text of its body. */
export function encodePresence(presence: Presence): string {
  return JSON.stringify({
    v: 1,
    session: presence.session,
    incarnation: presence.incarnation,
    state: presence.state,
    serving: presence.serving,
    openAsks: presence.openAsks,
    successor: presence.successor,
    unheard: presence.unheard,
    record: { n: presence.record.n, hash: presence.record.hash },
  });
}

function decisionBody(decision: Decision): object {
  return {
    v: 1,
    requestId: decision.requestId,
    askDigest: decision.askDigest,
    incarnation: decision.incarnation,
    approved: decision.approved,
    state: decision.state,
    denialReason: decision.denialReason?.toWellFormed(),
    responderSessionId: decision.responderSessionId,
    respondedAt: decision.respondedAt,
    decidedBy: readable(decision.decidedBy),
    sessionGrantWidth: decision.sessionGrantWidth,
    via: decision.via,
  };
}

function refusedBody(refused: Refused): object {
  return {
    v: 1,
    requestId: refused.requestId,
    askDigest: refused.askDigest,
    lost: refused.lost,
    at: refused.at,
    detail: refused.detail?.toWellFormed(),
  };
}

// Reasons are words of people and of errors: one that is empty or has no UTF-8 form must not turn
// a denial into a decision that its child cannot read.
function readable(source: DecisionSource): DecisionSource {
  switch (source.kind) {
    case "unavailable":
    case "gate_error":
      return { ...source, reason: source.reason.toWellFormed() || "unspecified" };
    case "authorizer":
      return { ...source, reason: source.reason?.toWellFormed() ?? null };
    case "forwarded":
      return { ...source, decision: source.decision === null ? null : readable(source.decision) };
    case "user":
    case "rule":
    case "session_approval":
    case "yolo":
    case "infrastructure_read":
      return source;
  }
}

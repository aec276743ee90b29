import { z } from "zod";
import { DECISION_STATES, effectiveDecider, type Ruling } from "../ask/decision.ts";
import type { Decision } from "../ask/messages.ts";
import { isThisRevision, type OwnObject, ownObject, withoutPrototype } from "./body.ts";
import { decisionSource, isTooDeep } from "./decider.ts";
import { readExactDecision } from "./exact-decision.ts";
import { readBy } from "./read-by.ts";
import { filledText, finite, idText, text } from "./text.ts";
import { encodeToken } from "./token.ts";

const width = z.enum(["proven", "family"]);

/** The answer of the deciding node; {@link parseDecision} also demands that its parts agree. */
export const decision = z.object({
  requestId: idText,
  askDigest: filledText,
  incarnation: filledText,
  approved: z.boolean(),
  state: z.enum(DECISION_STATES),
  denialReason: text.exactOptional(),
  responderSessionId: filledText,
  respondedAt: finite,
  decidedBy: decisionSource,
  sessionGrantWidth: width.exactOptional(),
  via: z.array(filledText).readonly().exactOptional(),
});

/**
 * Reads a decoded decision for the request id token of its subject. Null for every decision that is malformed,
 * of another revision, about another request, or contradicts itself: none of these is ever an allow.
 * An unknown grant width is dropped. Frozen; never throws.
 */
export function parseDecision(rid: string, value: unknown): Decision | null {
  const body = ownObject(value);
  return body === null || !isThisRevision(body) ? null : readDecision(rid, body);
}

/** {@link parseDecision} for a body that was copied and is of this revision. */
export function readDecision(rid: string, body: OwnObject): Decision | null {
  const message = readBy(decision, withKnownWidth(body));
  return message !== undefined && isSound(message, rid) ? Object.freeze(message) : null;
}

/**
 * {@link parseDecision} for what JSON text decoded to, where it is written as this revision writes a decision and
 * nothing else; null for every other, which {@link readDecision} then reads.
 */
export function readUsualDecision(rid: string, value: unknown): Decision | null {
  const message = readExactDecision(value);
  return message !== null && isSound(message, rid) ? message : null;
}

function isSound(message: Decision, rid: string): boolean {
  return encodeToken(message.requestId) === rid && !isTooDeep(message.decidedBy) && agrees(message);
}

function withKnownWidth(body: OwnObject): OwnObject {
  const said = Object.hasOwn(body, "sessionGrantWidth");
  if (!said || z.validate(width, body["sessionGrantWidth"])) return body;
  const { sessionGrantWidth: _, ...rest } = body;
  return withoutPrototype(rest);
}

/** Says whether a ruling agrees with its state and with whoever made it. */
function agrees({ approved, state, decidedBy }: Ruling): boolean {
  if (approved !== (state === "approved" || state === "approved_for_session")) return false;
  const decider = effectiveDecider(decidedBy);
  if (state === "approved_for_session" && decider.kind !== "user" && decider.kind !== "forwarded") {
    return false;
  }
  if (decider.kind === "authorizer") return approved === (decider.verdict === "allow");
  return !approved || (decider.kind !== "unavailable" && decider.kind !== "gate_error");
}

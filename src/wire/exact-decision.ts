import { ANSWER_WAYS, DECISION_STATES } from "../ask/decision.ts";
import type { Decision } from "../ask/messages.ts";
import type { OwnObject } from "./body.ts";
import {
  type Exact,
  exactly,
  frozen,
  isFilled,
  isFiniteNumber,
  isFlag,
  isText,
  listOf,
  oneOf,
  orNull,
} from "./exact.ts";

const kind = { kind: isText };
const nullableText = orNull(isText);

/** The deciders that nearly every decision names; the schema knows all of them. */
const DECIDERS: ReadonlyMap<unknown, Exact> = new Map([
  ["rule", exactly({ ...kind, surface: isFilled, pattern: nullableText, origin: nullableText })],
  [
    "session_approval",
    exactly({ ...kind, surface: isFilled, pattern: nullableText }, { grantId: isText }),
  ],
  ["user", exactly({ ...kind, via: oneOf(ANSWER_WAYS) }, { approver: isText })],
  [
    "authorizer",
    exactly({ ...kind, name: isFilled, verdict: oneOf(["allow", "deny"]), reason: nullableText }),
  ],
]);

const decider: Exact = (value) =>
  DECIDERS.get((value as { kind?: unknown } | null)?.kind)?.(value) === true;

const exactDecision = exactly(
  {
    v: (value) => value === 1,
    requestId: isFilled,
    askDigest: isFilled,
    incarnation: isFilled,
    approved: isFlag,
    state: oneOf(DECISION_STATES),
    responderSessionId: isFilled,
    respondedAt: isFiniteNumber,
    decidedBy: decider,
  },
  { denialReason: isText, sessionGrantWidth: oneOf(["proven", "family"]), via: listOf(isFilled) },
);

/**
 * Reads a decision that is written exactly as this revision writes it, by one of the usual deciders; null for every
 * other, which the schema then judges. Gives what the schema gives; whether its parts agree is not looked at.
 * Takes what JSON text decoded to, which is frozen by it.
 */
export function readExactDecision(body: OwnObject): Decision | null {
  if (!exactDecision(body)) return null;
  const { v: _, ...read } = body;
  for (const part of Object.values(read)) frozen(part);
  return read as unknown as Decision;
}

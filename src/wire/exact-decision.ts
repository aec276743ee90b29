import {
  ANSWER_WAYS,
  type AnswerWay,
  DECISION_STATES,
  type DecisionSource,
  type DecisionState,
} from "../ask/decision.ts";
import { GRANT_WIDTHS, type GrantWidth } from "../ask/grant.ts";
import type { Decision } from "../ask/messages.ts";
import type { OwnObject } from "./body.ts";
import {
  bodyOf,
  type Draft,
  fieldsOf,
  isFilled,
  isId,
  isOneOf,
  isTextOrAbsent,
  isTextOrNull,
  type Read,
  readFilled,
  readList,
} from "./exact.ts";

type SourceOf<K extends DecisionSource["kind"]> = Extract<DecisionSource, { kind: K }>;

const STATES: ReadonlySet<DecisionState> = new Set(DECISION_STATES);
const WIDTHS: ReadonlySet<GrantWidth | undefined> = new Set([...GRANT_WIDTHS, undefined]);
const WAYS: ReadonlySet<AnswerWay> = new Set(ANSWER_WAYS);
const VERDICTS: ReadonlySet<"allow" | "deny"> = new Set(["allow", "deny"] as const);

/**
 * Reads a decision that is written as this revision writes it, by one of the usual deciders; null for every other,
 * which the schema then judges. Gives what the schema gives, frozen; whether its parts agree is not looked at.
 * Takes what JSON text decoded to.
 */
export function readExactDecision(value: unknown): Decision | null {
  const body = bodyOf(value);
  const decision = body["v"] === 1 ? readCore(body) : null;
  if (decision === null) return null;
  const { denialReason, sessionGrantWidth, via } = body;
  if (!isTextOrAbsent(denialReason) || !isOneOf(WIDTHS, sessionGrantWidth)) return null;
  if (denialReason !== undefined) decision.denialReason = denialReason;
  if (sessionGrantWidth !== undefined) decision.sessionGrantWidth = sessionGrantWidth;
  if (via !== undefined) {
    const passed = readList(via, readFilled);
    if (passed === null) return null;
    decision.via = passed;
  }
  return Object.freeze(decision);
}

function readCore(body: OwnObject): Draft<Decision> | null {
  const { requestId, askDigest, incarnation, responderSessionId } = body;
  const { approved, state, respondedAt } = body;
  const decidedBy = readDecider(body["decidedBy"]);
  if (decidedBy === null || typeof approved !== "boolean" || !isOneOf(STATES, state)) return null;
  if (!isId(requestId) || !isFilled(askDigest) || !isFilled(incarnation)) return null;
  if (!isFilled(responderSessionId)) return null;
  if (typeof respondedAt !== "number" || !Number.isFinite(respondedAt)) return null;
  return {
    requestId,
    askDigest,
    incarnation,
    approved,
    state,
    responderSessionId,
    respondedAt,
    decidedBy,
  };
}

/** Takes the deciders that nearly every decision names; the schema knows all of them. */
function readDecider(value: unknown): DecisionSource | null {
  const fields = fieldsOf(value);
  return DECIDERS.get(fields["kind"])?.(fields) ?? null;
}

const DECIDERS: ReadonlyMap<unknown, Read<DecisionSource>> = new Map<unknown, Read<DecisionSource>>(
  [
    ["rule", readRule],
    ["session_approval", readApproval],
    ["user", readUser],
    ["authorizer", readAuthorizer],
  ],
);

function readRule(value: unknown): SourceOf<"rule"> | null {
  const { surface, pattern, origin } = fieldsOf(value);
  if (!isFilled(surface) || !isTextOrNull(pattern) || !isTextOrNull(origin)) return null;
  return Object.freeze({ kind: "rule", surface, pattern, origin });
}

function readApproval(value: unknown): SourceOf<"session_approval"> | null {
  const { surface, pattern, grantId } = fieldsOf(value);
  if (!isFilled(surface) || !isTextOrNull(pattern) || !isTextOrAbsent(grantId)) return null;
  const approval: Draft<SourceOf<"session_approval">> = {
    kind: "session_approval",
    surface,
    pattern,
  };
  if (grantId !== undefined) approval.grantId = grantId;
  return Object.freeze(approval);
}

function readUser(value: unknown): SourceOf<"user"> | null {
  const { via, approver } = fieldsOf(value);
  if (!isOneOf(WAYS, via) || !isTextOrAbsent(approver)) return null;
  const user: Draft<SourceOf<"user">> = { kind: "user", via };
  if (approver !== undefined) user.approver = approver;
  return Object.freeze(user);
}

function readAuthorizer(value: unknown): SourceOf<"authorizer"> | null {
  const { name, verdict, reason } = fieldsOf(value);
  if (!isFilled(name) || !isOneOf(VERDICTS, verdict) || !isTextOrNull(reason)) return null;
  return Object.freeze({ kind: "authorizer", name, verdict, reason });
}

import { ASK_SOURCES, type Ask, type AskSource } from "../ask/ask.ts";
import type { GrantPattern, GrantSuggestion } from "../ask/grant.ts";
import type { OwnObject } from "./body.ts";
import {
  bodyOf,
  type Draft,
  fieldsOf,
  isFilled,
  isId,
  isOneOf,
  isText,
  isTextOrAbsent,
  isTextOrNull,
  type Read,
  readFilled,
  readList,
} from "./exact.ts";
import { readIntent, readOrigin, readPayload } from "./exact-facts.ts";
import { NONCE_FORM } from "./proof.ts";

const SOURCES: ReadonlySet<AskSource> = new Set(ASK_SOURCES);

/**
 * Reads an ask that is written as this revision writes it, which nearly every one is; null for every other, which the
 * schema then judges. Gives what the schema gives, frozen, at a small part of its time: each field is read by its
 * name into a new object, which is far cheaper to freeze than what JSON text decodes to. Takes what JSON text
 * decoded to.
 */
export function readExactAsk(value: unknown): Ask | null {
  const body = bodyOf(value);
  const ask = body["v"] === 1 ? readCore(body) : null;
  if (ask === null) return null;
  return takeTexts(ask, body) && takeParts(ask, body) ? Object.freeze(ask) : null;
}

function readCore(body: OwnObject): Draft<Ask> | null {
  const { id, createdAt, expiresAt, nonce, source } = body;
  const { requesterSessionId, targetSessionId, requesterAgentName } = body;
  if (!isId(id) || !isFilled(requesterSessionId) || !isFilled(targetSessionId)) return null;
  if (!isFilled(requesterAgentName) || !isOneOf(SOURCES, source)) return null;
  if (typeof createdAt !== "number" || typeof expiresAt !== "number") return null;
  if (!Number.isFinite(createdAt) || !Number.isFinite(expiresAt)) return null;
  if (typeof nonce !== "string" || !NONCE_FORM.test(nonce)) return null;
  return {
    id,
    createdAt,
    expiresAt,
    requesterSessionId,
    targetSessionId,
    requesterAgentName,
    nonce,
    source,
  };
}

/** The parts that are text; false when one of them is not as it is written. */
function takeTexts(ask: Draft<Ask>, body: OwnObject): boolean {
  const { surface = null, value = null, toolCallId, actionDigest } = body;
  if (!isTextOrNull(surface) || !isTextOrNull(value)) return false;
  if (!isTextOrAbsent(toolCallId) || !isTextOrAbsent(actionDigest)) return false;
  if (body["surface"] !== undefined) ask.surface = surface;
  if (body["value"] !== undefined) ask.value = value;
  if (toolCallId !== undefined) ask.toolCallId = toolCallId;
  if (actionDigest !== undefined) ask.actionDigest = actionDigest;
  return true;
}

/** The parts that are objects and lists; false when one of them is not as it is written. */
function takeParts(ask: Draft<Ask>, body: OwnObject): boolean {
  return (
    take(body["payload"], readPayload, (payload) => (ask.payload = payload)) &&
    take(body["sessionApproval"], readSuggestion, (given) => (ask.sessionApproval = given)) &&
    take(body["accessIntent"], readIntent, (intent) => (ask.accessIntent = intent)) &&
    take(body["origin"], readOrigin, (origin) => (ask.origin = origin)) &&
    take(body["path"], readPassed, (path) => (ask.path = path))
  );
}

function take<T>(value: unknown, read: Read<T>, set: (part: T) => void): boolean {
  if (value === undefined) return true;
  const part = read(value);
  if (part !== null) set(part);
  return part !== null;
}

function readSuggestion(value: unknown): GrantSuggestion | null {
  const grants = readList(fieldsOf(value)["grants"], readGrant);
  return grants === null || grants.length === 0 ? null : Object.freeze({ grants });
}

function readGrant(value: unknown): GrantPattern | null {
  const { surface, pattern } = fieldsOf(value);
  return isFilled(surface) && isText(pattern) ? Object.freeze({ surface, pattern }) : null;
}

function readPassed(value: unknown): readonly string[] | null {
  return readList(value, readFilled);
}

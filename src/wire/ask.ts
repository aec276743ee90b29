import { z } from "zod";
import { ASK_SOURCES, type Ask, MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import { isThisRevision, type OwnObject, ownObject, withoutPrototype } from "./body.ts";
import { readExactAsk } from "./exact-ask.ts";
import { accessIntent, askOrigin } from "./facts.ts";
import { promptPayload } from "./payload.ts";
import { NONCE_FORM } from "./proof.ts";
import { readBy } from "./read-by.ts";
import { filledText, finite, idText, text } from "./text.ts";
import { encodeToken } from "./token.ts";

const nonce = text.regex(NONCE_FORM);

const coreFields = {
  id: idText,
  createdAt: finite,
  expiresAt: finite,
  requesterSessionId: filledText,
  targetSessionId: filledText,
  requesterAgentName: filledText,
  nonce,
};

/** The required fields of an ask, in the order in which a refusal names them. */
export const REQUIRED_ASK_FIELDS: readonly string[] = Object.keys(coreFields);

const grant = z.object({ surface: filledText, pattern: text }).readonly();

/** Grants a child suggests: at least one, each with a surface. */
export const grantSuggestion = z.object({ grants: z.array(grant).min(1).readonly() }).readonly();

const source = z.enum(ASK_SOURCES);

const optionalParts = {
  payload: promptPayload,
  sessionApproval: grantSuggestion,
  accessIntent,
  origin: askOrigin,
  path: z.array(filledText).readonly(),
  toolCallId: text,
  actionDigest: text,
};

/** A whole ask as it is after reading; what is sent has `v` beside it and may leave `source` out. */
export const ask = z.object({
  ...coreFields,
  source,
  surface: text.nullable().exactOptional(),
  value: text.nullable().exactOptional(),
  payload: optionalParts.payload.exactOptional(),
  sessionApproval: optionalParts.sessionApproval.exactOptional(),
  accessIntent: optionalParts.accessIntent.exactOptional(),
  origin: optionalParts.origin.exactOptional(),
  path: optionalParts.path.exactOptional(),
  toolCallId: optionalParts.toolCallId.exactOptional(),
  actionDigest: optionalParts.actionDigest.exactOptional(),
});

/** What became of the body of an ask. */
export type ParsedAsk =
  | { readonly ok: true; readonly ask: Ask }
  | {
      readonly ok: false;
      readonly reason: "ask_malformed" | "version_mismatch";
      /** Required fields that were missing or malformed; empty for another revision. */
      readonly fields: readonly string[];
      /** What a refusal can be addressed to and proven with; null when it could not be read. */
      readonly requestId: string | null;
      readonly nonce: string | null;
    };

/** The session tokens of an ask's subject: the identities that the server attests. */
export interface AskSubject {
  readonly parent: string;
  readonly child: string;
}

/**
 * Reads a decoded ask. Required fields are checked one by one; an optional part that is malformed is absent and
 * the ask stands. The sessions named in the body must be those of the subject. Frozen; never throws.
 */
export function parseAsk(subject: AskSubject, value: unknown): ParsedAsk {
  const exact = readExactAsk(value);
  if (exact !== null && hasLife(exact) && isFor(subject, exact)) return taken(exact);
  const body = ownObject(value);
  if (body === null) return refused("ask_malformed", REQUIRED_ASK_FIELDS, {});
  if (!isThisRevision(body)) return refused("version_mismatch", [], body);
  const read = readBy(ask, body) ?? readBy(ask, repaired(body));
  if (read === undefined || !hasLife(read) || !isFor(subject, read)) {
    return refused("ask_malformed", wrongFields(subject, body), body);
  }
  return taken(read);
}

function taken(read: Ask): ParsedAsk {
  return { ok: true, ask: Object.freeze(isAttested(read) ? read : withoutIntent(read)) };
}

function refused(
  reason: "ask_malformed" | "version_mismatch",
  fields: readonly string[],
  body: OwnObject,
): ParsedAsk {
  return {
    ok: false,
    reason,
    fields,
    requestId: usable(idText, body["id"]) ?? null,
    nonce: usable(nonce, body["nonce"]) ?? null,
  };
}

/** The body as if its malformed optional parts had never been sent. */
function repaired(body: OwnObject): OwnObject {
  const parts: Record<string, unknown> = {};
  for (const field of REQUIRED_ASK_FIELDS) {
    if (Object.hasOwn(body, field)) parts[field] = body[field];
  }
  parts["source"] = usable(source, body["source"]) ?? "tool_call";
  for (const field of ["surface", "value"]) {
    if (Object.hasOwn(body, field)) parts[field] = usable(text, body[field]) ?? null;
  }
  for (const [field, schema] of Object.entries(optionalParts)) {
    const part = usable<unknown>(schema, body[field]);
    if (part !== undefined) parts[field] = part;
  }
  return withoutPrototype(parts);
}

type Times = Pick<Ask, "createdAt" | "expiresAt">;

function hasLife({ createdAt, expiresAt }: Times): boolean {
  const life = expiresAt - createdAt;
  return life > 0 && life <= MAX_ASK_LIFE_MS;
}

function isFor(subject: AskSubject, { requesterSessionId, targetSessionId }: Ask): boolean {
  return (
    encodeToken(requesterSessionId) === subject.child &&
    encodeToken(targetSessionId) === subject.parent
  );
}

/** Facts count only when they are stated by the one who asks, or at a relay by the one who asked first. */
function isAttested({ accessIntent: intent, ...read }: Ask): boolean {
  if (intent === undefined) return true;
  const sessionId = read.origin?.sessionId ?? read.requesterSessionId;
  const agentName = read.origin?.agentName ?? read.requesterAgentName;
  return intent.principal.sessionId === sessionId && intent.principal.agentName === agentName;
}

function withoutIntent(read: Ask): Ask {
  const { accessIntent: _, ...rest } = read;
  return rest;
}

function wrongFields(subject: AskSubject, body: OwnObject): string[] {
  const times = readBy(z.object({ createdAt: finite, expiresAt: finite }), body);
  const wrong: Readonly<Record<string, boolean>> = {
    expiresAt: times !== undefined && !hasLife(times),
    requesterSessionId: !isNamed(subject.child, body["requesterSessionId"]),
    targetSessionId: !isNamed(subject.parent, body["targetSessionId"]),
  };
  return Object.entries(coreFields)
    .filter(([field, schema]) => wrong[field] === true || !z.validate(schema, body[field]))
    .map(([field]) => field);
}

function isNamed(token: string, name: unknown): boolean {
  const session = usable(filledText, name);
  return session !== undefined && encodeToken(session) === token;
}

function usable<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : readBy(schema, value);
}

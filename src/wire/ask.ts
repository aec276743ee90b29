import { z } from "zod";
import { ASK_SOURCES, type Ask, MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import type { AskOrigin, ForwardedAccessIntent } from "../ask/facts.ts";
import { isThisRevision, type OwnObject, ownObject } from "./body.ts";
import { accessIntent, askOrigin } from "./facts.ts";
import { promptPayload } from "./payload.ts";
import { decodeNonce } from "./proof.ts";
import { filledText, finite, text } from "./text.ts";
import { encodeToken } from "./token.ts";

const nonce = text.refine((value) => decodeNonce(value) !== null, { error: "not a nonce" });

const coreFields = {
  id: filledText,
  createdAt: finite,
  expiresAt: finite,
  requesterSessionId: filledText,
  targetSessionId: filledText,
  requesterAgentName: filledText,
  nonce,
};

const core = z.object(coreFields);

/** The required fields of an ask, in the order in which a refusal names them. */
export const REQUIRED_ASK_FIELDS: readonly string[] = Object.keys(coreFields);

const grant = z.object({ surface: filledText, pattern: text }).readonly();

/** Grants a child suggests: at least one, each with a surface. */
export const grantSuggestion = z.object({ grants: z.tuple([grant], grant).readonly() }).readonly();

const source = z.enum(ASK_SOURCES);
const sessionPath = z.array(filledText).readonly();

/** A whole ask as it is after reading; what is sent has `v` beside it and may leave `source` out. */
export const ask = z.object({
  ...coreFields,
  source,
  payload: promptPayload.exactOptional(),
  surface: text.nullable().exactOptional(),
  value: text.nullable().exactOptional(),
  sessionApproval: grantSuggestion.exactOptional(),
  accessIntent: accessIntent.exactOptional(),
  origin: askOrigin.exactOptional(),
  path: sessionPath.exactOptional(),
  toolCallId: text.exactOptional(),
  actionDigest: text.exactOptional(),
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
  const body = ownObject(value);
  if (body === null) return refused("ask_malformed", REQUIRED_ASK_FIELDS, {});
  if (!isThisRevision(body)) return refused("version_mismatch", [], body);
  const required = core.safeParse(body);
  const wrong = new Set(required.error?.issues.map((issue) => String(issue.path[0])));
  if (required.success) {
    const { createdAt, expiresAt, requesterSessionId, targetSessionId } = required.data;
    const life = expiresAt - createdAt;
    if (!(life > 0 && life <= MAX_ASK_LIFE_MS)) wrong.add("expiresAt");
    if (encodeToken(requesterSessionId) !== subject.child) wrong.add("requesterSessionId");
    if (encodeToken(targetSessionId) !== subject.parent) wrong.add("targetSessionId");
    if (wrong.size === 0) return { ok: true, ask: assemble(required.data, body) };
  }
  return refused(
    "ask_malformed",
    REQUIRED_ASK_FIELDS.filter((field) => wrong.has(field)),
    body,
  );
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
    requestId: usable(filledText, body["id"]) ?? null,
    nonce: usable(nonce, body["nonce"]) ?? null,
  };
}

function assemble(required: z.infer<typeof core>, body: OwnObject): Ask {
  const origin = usable(askOrigin, body["origin"]);
  return Object.freeze({
    ...required,
    source: usable(source, body["source"]) ?? "tool_call",
    ...present({
      payload: usable(promptPayload, body["payload"]),
      surface: displayed(body["surface"]),
      value: displayed(body["value"]),
      sessionApproval: usable(grantSuggestion, body["sessionApproval"]),
      accessIntent: attested(usable(accessIntent, body["accessIntent"]), {
        sessionId: origin?.sessionId ?? required.requesterSessionId,
        agentName: origin?.agentName ?? required.requesterAgentName,
      }),
      origin,
      path: usable(sessionPath, body["path"]),
      toolCallId: usable(text, body["toolCallId"]),
      actionDigest: usable(text, body["actionDigest"]),
    }),
  });
}

function attested(
  intent: ForwardedAccessIntent | undefined,
  speaker: AskOrigin,
): ForwardedAccessIntent | undefined {
  const same =
    intent?.principal.sessionId === speaker.sessionId &&
    intent.principal.agentName === speaker.agentName;
  return same ? intent : undefined;
}

function displayed(value: unknown): string | null | undefined {
  return value === undefined ? undefined : (usable(text, value) ?? null);
}

function usable<T>(schema: z.ZodType<T>, value: unknown): T | undefined {
  return value === undefined ? undefined : schema.safeParse(value).data;
}

type Present<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function present<T extends object>(parts: T): Present<T> {
  return Object.fromEntries(
    Object.entries(parts).filter(([, part]) => part !== undefined),
  ) as Present<T>;
}

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

import { ASK_SOURCES, type Ask } from "../ask/ask.ts";
import { COMMAND_CONTEXTS, PAYLOAD_KINDS } from "../ask/payload.ts";
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
import { NONCE_FORM } from "./proof.ts";

const nullableText = orNull(isText);
const context = orNull(oneOf(COMMAND_CONTEXTS));
const textList = listOf(isText);
const origin = exactly({ sessionId: isFilled, agentName: isFilled });

const requester = exactly(
  { agentName: nullableText, forwarded: isFlag, sessionId: nullableText },
  { host: isText },
);

const payload = exactly({
  kind: oneOf(PAYLOAD_KINDS),
  request: exactly({
    requester,
    surface: isText,
    toolName: nullableText,
    invokedToolName: nullableText,
    value: isText,
    matchedPattern: nullableText,
    commandContext: context,
    executedUnit: nullableText,
  }),
  evidence: listOf(exactly({ label: isText, text: isText, detail: nullableText })),
  annotations: listOf(exactly({ source: isText, text: isText })),
});

const accessIntent = exactly(
  {
    surface: isText,
    matchValues: textList,
    boundaryValue: nullableText,
    requesterCwd: isText,
    principal: origin,
  },
  {
    units: listOf(exactly({ value: isText, floor: nullableText, context })),
    paths: listOf(exactly({ surface: isText, matchValues: textList, boundaryValue: nullableText })),
  },
);

const exactAsk = exactly(
  {
    v: (value) => value === 1,
    id: isFilled,
    createdAt: isFiniteNumber,
    expiresAt: isFiniteNumber,
    requesterSessionId: isFilled,
    targetSessionId: isFilled,
    requesterAgentName: isFilled,
    nonce: (value) => isText(value) && NONCE_FORM.test(value),
    source: oneOf(ASK_SOURCES),
  },
  {
    payload,
    surface: nullableText,
    value: nullableText,
    sessionApproval: exactly({
      grants: listOf(exactly({ surface: isFilled, pattern: isText }), 1),
    }),
    accessIntent,
    origin,
    path: listOf(isFilled),
    toolCallId: isText,
    actionDigest: isText,
  },
) satisfies Exact;

/**
 * Reads an ask that is written exactly as this revision writes it, which nearly every one is; null for every other,
 * which the schema then judges. Gives what the schema gives, at a fraction of its time. Takes what JSON text
 * decoded to, which is frozen by it.
 */
export function readExactAsk(body: OwnObject): Ask | null {
  if (!exactAsk(body)) return null;
  const { v: _, ...read } = body;
  for (const part of Object.values(read)) frozen(part);
  return read as unknown as Ask;
}

import { z } from "zod";
import { ASK_SOURCES } from "../ask/ask.ts";
import { CONTROL_ID, MAX_REASON_CHARACTERS, OPEN_STATES } from "../ask/control.ts";
import { GRANT_WIDTHS, STANDING_SCOPES } from "../ask/grant.ts";
import { grantSuggestion } from "./ask.ts";
import { decisionSource } from "./decider.ts";
import { promptPayload } from "./payload.ts";
import { filledText, finite, idText, text } from "./text.ts";

const count = z.int().min(0);

const id = text.regex(CONTROL_ID);

/** The bodies of an operator, by op. */
export const CONTROL_WANTS = {
  list: z.object({ id, after: count.exactOptional() }),
  show: z.object({ id, requestId: idText, from: count.exactOptional() }),
  answer: z.object({
    id,
    requestId: idText,
    digest: idText,
    answer: z.enum(["allow", "deny"]),
    reason: text.max(MAX_REASON_CHARACTERS).exactOptional(),
    scope: z.enum(["once", "child_session", "serving_session"]).exactOptional(),
    width: z.enum(GRANT_WIDTHS).exactOptional(),
    incomplete: z.literal(true).exactOptional(),
  }),
  grants: z.object({ id, after: idText.exactOptional() }),
  revoke: z.object({ id, grantId: idText }),
} as const;

const heldBy = z
  .object({ kind: filledText, name: text.exactOptional(), sessionId: text.exactOptional() })
  .readonly();

/** Where an open ask is. */
export const whereaboutsFields = {
  state: z.enum(OPEN_STATES),
  heldBy: heldBy.nullable(),
  childGone: z.literal(true).exactOptional(),
  expiresAt: finite,
};

/** An open ask in short. */
export const openAskHead = z
  .object({
    requestId: filledText,
    child: text,
    agentName: text,
    since: finite,
    surface: text,
    value: text,
    ...whereaboutsFields,
  })
  .readonly();

const shownPart = z
  .object({
    requestId: filledText,
    digest: filledText,
    ...whereaboutsFields,
    size: count,
    from: count,
    text,
  })
  .readonly();

const grant = z
  .object({
    grantId: filledText,
    requestId: filledText,
    surface: text,
    pattern: text,
    width: z.enum(GRANT_WIDTHS),
    scope: z.enum(STANDING_SCOPES),
    grantedBy: text.nullable(),
    grantedAt: finite,
    expiresAt: finite,
    uses: count,
  })
  .readonly();

const stands = z
  .object({ outcome: z.enum(["allowed", "denied", "lost"]), decidedBy: decisionSource.nullable() })
  .readonly();

/** The bodies of a session's answers, by the op that was wanted, and that of a refusal. */
export const CONTROL_ANSWERS = {
  list: z.object({ asks: z.array(openAskHead).readonly(), next: count.exactOptional() }),
  show: z.object({ shown: shownPart }),
  answer: z.object({
    answered: z.object({ requestId: filledText, decidedBy: decisionSource }).readonly(),
  }),
  grants: z.object({ grants: z.array(grant).readonly(), next: filledText.exactOptional() }),
  revoke: z.object({ revoked: grant }),
  refused: z.object({
    refused: z
      .object({
        why: filledText,
        text: filledText,
        digest: filledText.exactOptional(),
        stands: stands.exactOptional(),
      })
      .readonly(),
  }),
} as const;

/** An ask as a person is shown it, whole. */
export const shownAsk = z
  .object({
    session: filledText,
    requestId: filledText,
    askDigest: filledText,
    reprompt: count,
    source: z.enum(ASK_SOURCES),
    agentName: text.nullable(),
    payload: promptPayload,
    surface: text.nullable(),
    value: text.nullable(),
    forwarding: z
      .object({
        requesterAgentName: text,
        requesterSessionId: text,
        via: z.array(text).readonly(),
      })
      .readonly()
      .nullable(),
    sessionApproval: grantSuggestion.exactOptional(),
  })
  .readonly();

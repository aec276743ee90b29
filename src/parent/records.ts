import type { Ask } from "../ask/ask.ts";
import type { DecisionSource } from "../ask/decision.ts";
import type { Grant } from "../ask/grant.ts";
import type { RecordDraft, RecordKind, ReviewEvent } from "../ask/record.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { LinkReport } from "../chain/run-chain.ts";

/** Bounds and masks a body and makes it a draft: nothing reaches the journal around it. */
export type Drafter = (
  kind: RecordKind,
  requestId: RequestId | null,
  body: Readonly<Record<string, unknown>>,
) => RecordDraft;

/** What a review entry tells besides its event and what the ask is about. */
export interface EntryFields {
  /** How it ended, in the vocabulary of review entries. */
  readonly resolution?: string;
  readonly decidedBy?: DecisionSource;
  readonly [field: string]: unknown;
}

/** A review entry about one ask: who asks for what, then the fields of the event. */
export function askEntry(
  draft: Drafter,
  event: ReviewEvent,
  ask: Omit<Ask, "nonce">,
  fields: EntryFields = {},
): RecordDraft {
  const facts = ask.payload?.request;
  return draft("review", ask.id, {
    event,
    requestId: ask.id,
    requesterSessionId: ask.requesterSessionId,
    requesterAgentName: ask.requesterAgentName,
    surface: ask.surface ?? facts?.surface ?? null,
    value: ask.value ?? facts?.value ?? null,
    ...(ask.toolCallId === undefined ? {} : { toolCallId: ask.toolCallId }),
    ...(ask.origin === undefined ? {} : { origin: ask.origin, path: ask.path ?? [] }),
    ...fields,
  });
}

/** A review entry about an id whose ask this process does not hold, or about the node itself (null). */
export function plainEntry(
  draft: Drafter,
  event: ReviewEvent,
  requestId: RequestId | null,
  fields: EntryFields = {},
): RecordDraft {
  return draft("review", requestId, {
    event,
    ...(requestId === null ? {} : { requestId }),
    ...fields,
  });
}

/** The entry that this node begins or ends to pass asks on to its own parent. */
export function relayEntry(
  draft: Drafter,
  event: "forwarded_permission.relay_started" | "forwarded_permission.relay_stopped",
  targetSessionId: string,
): RecordDraft {
  return plainEntry(draft, event, null, { targetSessionId });
}

/** What the links made of an ask, as a review entry tells it; nothing when none was asked. */
export function linkFields(live: { readonly links?: readonly LinkReport[] }): {
  readonly links?: readonly LinkReport[];
} {
  return live.links === undefined || live.links.length === 0 ? {} : { links: live.links };
}

/** A review entry about a grant: under the id of the ask that left it behind. */
export function grantEntry(
  draft: Drafter,
  event: Extract<ReviewEvent, `grant.${string}`>,
  grant: Grant,
  fields: EntryFields = {},
): RecordDraft {
  return draft("review", grant.requestId, { event, ...grant, ...fields });
}

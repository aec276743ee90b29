import type { Ask } from "../ask/ask.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Grant } from "../ask/grant.ts";
import type { LostReason } from "../ask/lost.ts";
import type { CancelReason } from "../ask/messages.ts";
import type { RecordDraft, ReviewEvent } from "../ask/record.ts";
import type { LinkReport } from "../chain/run-chain.ts";
import type { ServedAskEnd } from "../journal/journal.ts";
import { buildServedDecision } from "../render/live-events.ts";
import { askEntry, linkFields } from "./records.ts";
import type { ServedEvent } from "./served-state.ts";
import type { Serving } from "./serving.ts";

/** Why an ask ended: somebody or a rule decided it, else the reason why nobody did. */
export type EndWord = "decided" | LostReason;

/** How an ask ends, complete: what is sent, what becomes durable with it, and what observers hear. */
export interface Ending {
  readonly event: Extract<ServedEvent, "ruled" | "cancelled" | "refused">;
  readonly end: ServedAskEnd;
  /** Why nobody needs to look at the ask any longer: the word its terminal and its links are given. */
  readonly word: EndWord;
  /** True when the answer lets the call run. */
  readonly allows: boolean;
  /** True when somebody answered, here or behind another session: whoever comes too late is recorded. */
  readonly isSomebodys: boolean;
  readonly drafts: readonly RecordDraft[];
  readonly grants: readonly Grant[];
  /** The grant that was used, else null. */
  readonly usedGrant: string | null;
  /** The serving node's `decision` event; null for an ask that never reached chain or terminal. */
  readonly told: object | null;
}

/** The ask an ending is made for. Its nonce is of no use here and a dormant row has none. */
export interface EndingOf {
  readonly ask: Omit<Ask, "nonce">;
  readonly askDigest: string;
  /** Null for an ask that never reached chain or terminal: it has no `decision` event here. */
  readonly details: PromptPermissionDetails | null;
  /** What the links made of it; absent for an ask that never reached them. */
  readonly links?: readonly LinkReport[];
}

/** The end of an ask without a ruling: this node gives it back with a named reason. */
export function endingByRefusal(
  serving: Serving,
  of: EndingOf,
  lost: LostReason,
  detail?: string,
): Ending {
  const { ask, askDigest } = of;
  const body = serving.line.encode({
    kind: "refused",
    message: {
      requestId: ask.id,
      askDigest,
      lost,
      at: serving.session,
      ...(detail === undefined ? {} : { detail }),
    },
  });
  const fields = { lost, ...(detail === undefined ? {} : { detail }) };
  return unruled(serving, of, {
    event: "refused",
    kind: "refused",
    body,
    lost,
    entry: REFUSAL_ENTRIES[lost] ?? "permission_forwarding.error",
    fields,
  });
}

/** The end of an ask that its child took back. */
export function endingByCancel(serving: Serving, of: EndingOf, why: CancelReason): Ending {
  const body = serving.line.encode({
    kind: "withdrawn",
    message: { requestId: of.ask.id, effect: "withdrawn" },
  });
  return unruled(serving, of, {
    event: "cancelled",
    kind: "withdrawn",
    body,
    lost: why === "timed_out" ? "timed_out" : "cancelled",
    entry: "forwarded_permission.cancelled",
    fields: { why },
  });
}

/** Nobody denied in any of these: no entry of a refusal says so. */
const REFUSAL_ENTRIES: Readonly<Partial<Record<LostReason, ReviewEvent>>> = {
  timed_out: "forwarded_permission.response_timed_out",
  parent_shut_down: "forwarded_permission.cancelled",
};

function unruled(
  serving: Serving,
  of: EndingOf,
  how: {
    readonly event: "refused" | "cancelled";
    readonly kind: "refused" | "withdrawn";
    readonly body: string;
    readonly lost: LostReason;
    readonly entry: ReviewEvent;
    readonly fields: Readonly<Record<string, unknown>>;
  },
): Ending {
  const decidedBy = { kind: "unavailable", reason: how.lost, at: serving.session } as const;
  const entry = askEntry(serving.draft, how.entry, of.ask, {
    resolution: "confirmation_unavailable",
    ...linkFields(of),
    ...how.fields,
  });
  const told =
    of.details === null
      ? null
      : buildServedDecision(of.details, { approved: false, state: "denied", decidedBy });
  return {
    event: how.event,
    word: how.lost,
    end: { kind: how.kind, answer: how.body, endedAt: serving.clock.now() },
    allows: false,
    isSomebodys: false,
    drafts: withTold(serving, of, entry, told),
    grants: [],
    usedGrant: null,
    told,
  };
}

/** The drafts of an end: its review entry, and the `decision` of an ask that reached chain or terminal. */
export function withTold(
  serving: Serving,
  of: EndingOf,
  entry: RecordDraft,
  told: object | null,
): readonly RecordDraft[] {
  return told === null ? [entry] : [entry, serving.draft("decision", of.ask.id, { ...told })];
}

import type { LostReason } from "../ask/lost.ts";
import type { CancelReason, Incarnation, ReceiptEffect } from "../ask/messages.ts";
import type { PublishOutcome } from "../bus/port.ts";

/** Where an ask stands at its child. Closed list; `decided` and `lost` are the ends. */
export type AskState = "created" | "sent" | "accepted" | "decided" | "lost";

/** First pause between two publishes of an ask, in milliseconds; it doubles up to {@link REPEAT_MAX_MS}. */
export const REPEAT_FIRST_MS = 250;

/** Longest pause between two publishes of an ask that nobody has accepted, in milliseconds. */
export const REPEAT_MAX_MS = 2_000;

/** Shortest pause between two repeats of an accepted ask, in milliseconds; the longest is twice as long. */
export const REPEAT_ACCEPTED_MS = 15_000;

/** Pause between two repeats of an accepted ask while 503 is the answer, in milliseconds. */
export const REPEAT_GONE_MS = 1_000;

/**
 * How long an ask that nobody has accepted bears having no connection, in milliseconds: long enough for a server
 * to be restarted, far shorter than a person's patience.
 */
export const CUT_GRACE_MS = 30_000;

/** An ask as its machine knows it. A value; all times are monotonic milliseconds. */
export interface AskStatus {
  readonly state: AskState;
  /** When the child gives up, whatever was said. */
  readonly deadlineAt: number;
  /** How long 503 alone is borne before any `accepted`. */
  readonly graceMs: number;
  /** Parents that follow the one asked now; only an ask that nobody accepted goes on to them. */
  readonly othersLeft: number;
  /** When the ask was first handed to a connection; null while it never was. */
  readonly sentAt: number | null;
  /** When the next publish is due; null while none is, as without a connection. */
  readonly publishAt: number | null;
  /** The pause that follows the next publish of an ask nobody has accepted. */
  readonly pauseMs: number;
  /** Publishes that no 503 answered: above zero somebody may hold the ask. */
  readonly unanswered: number;
  /** Whether a 503 answered the latest publish. */
  readonly refusedLast: boolean;
  /** The first 503 of a run that nothing has broken; null while there is none. */
  readonly unservedSince: number | null;
  /** Since when there is no connection; null while there is one, and before the row is durable. */
  readonly cutSince: number | null;
  /** The incarnations that accepted the ask, each later than the one before; decisions count from these only. */
  readonly acceptedBy: readonly Incarnation[];
  /** Digest of the decision that was applied; null when none was. */
  readonly decisionDigest: string | null;
}

/** What each thing that can happen to an ask brings along. */
interface AskEventFields {
  /** The ask's row is durable. */
  journalled: { readonly connected: boolean };
  /** The journal could not take what the last effect asked for. */
  unwritten: { readonly lost: "audit_unavailable" | "gate_error" };
  published: { readonly outcome: PublishOutcome };
  timer: unknown;
  no_responders: unknown;
  accepted: { readonly incarnation: Incarnation };
  progress: { readonly incarnation: Incarnation };
  decision: { readonly incarnation: Incarnation; readonly decisionDigest: string };
  refused: { readonly lost: LostReason; readonly proven: boolean };
  withdrawn: unknown;
  /** The proof is right, the body cannot be read. */
  unreadable: unknown;
  /** The parent's heartbeat came back, or a newer incarnation of it was heard. */
  parent_returned: unknown;
  disconnected: unknown;
  reconnected: unknown;
  /** The server does not let this session publish to that parent. */
  publish_refused: unknown;
  /** No message can reach this process again. */
  severed: { readonly lost: "bus_unreachable" | "permission_refused" };
  /** The tool call was taken back; `why` is what the parent is told, `aborted` where nothing is said. */
  abort: { readonly why?: CancelReason };
  /** The child closes. */
  shutdown: unknown;
}

/** Names of what can happen to an ask. */
export type AskEventKind = keyof AskEventFields;

/** What can happen to an ask. All messages but `withdrawn` and unproven refusals came with its proof. */
export type AskEvent<K extends AskEventKind = AskEventKind> = {
  [P in K]: { readonly kind: P } & AskEventFields[P];
}[K];

/**
 * What a transition asks its caller to do, in order. When the journal refuses an `apply`, the effects
 * after it are skipped and `unwritten` is stepped instead.
 */
export type AskEffect =
  /** Hand the ask's bytes to the connection, then step `published`. */
  | { readonly kind: "publish" }
  /** Record who took the ask. */
  | { readonly kind: "note_accepted"; readonly incarnation: Incarnation }
  /** Journal a cancel for the parent asked so far and the move to the next one, then step `journalled`. */
  | { readonly kind: "move"; readonly lost: LostReason }
  /** Journal the decision with its records, then let the outcome out. */
  | { readonly kind: "apply"; readonly decisionDigest: string }
  /** Journal the loss with its records and, unless null, a cancel; then let the outcome out. */
  | { readonly kind: "lose"; readonly lost: LostReason; readonly cancel: CancelReason | null }
  | {
      readonly kind: "receipt";
      readonly decisionDigest: string;
      readonly effect: ReceiptEffect;
    };

/** A new status with what is to be done because of it. */
export interface AskStep {
  readonly status: AskStatus;
  readonly effects: readonly AskEffect[];
}

/** What a transition reads of its surroundings: the monotonic time, and a number from 0 to 1 for jitter. */
export interface Moment {
  readonly now: number;
  readonly roll: number;
}

/** The status of an ask before its row is durable. */
export function createdAsk(options: {
  deadlineAt: number;
  graceMs: number;
  /** @defaultValue 0 */
  othersLeft?: number;
}): AskStatus {
  return {
    state: "created",
    deadlineAt: options.deadlineAt,
    graceMs: options.graceMs,
    othersLeft: options.othersLeft ?? 0,
    sentAt: null,
    publishAt: null,
    pauseMs: REPEAT_FIRST_MS,
    unanswered: 0,
    refusedLast: false,
    unservedSince: null,
    cutSince: null,
    acceptedBy: [],
    decisionDigest: null,
  };
}

import type { Ruling } from "./decision.ts";
import type { LostReason } from "./lost.ts";
import type { RequestId } from "./request-id.ts";

/**
 * One process of a session life, written `<epoch>.<random>`.
 * The epoch counts the processes that opened the session's journal; a larger one is newer.
 */
export type Incarnation = string;

/** What an accepted ask is waiting for. */
export type AcceptedState = "authorizer" | "human" | "relayed";

/** The parent has taken the ask: silence no longer ends it. */
export interface Accepted {
  readonly requestId: RequestId;
  readonly askDigest: string;
  readonly incarnation: Incarnation;
  readonly state: AcceptedState;
}

/** Who holds an accepted ask at this moment. */
export interface HeldBy {
  readonly kind: string;
  readonly name?: string;
  readonly sessionId?: string;
}

/** An accepted ask moved: somebody else holds it, or its place among the waiting changed. */
export interface Progress extends Accepted {
  readonly heldBy: HeldBy;
  /** Asks before it in the queue of the one who holds it. */
  readonly ahead: number;
}

/** The answer of the deciding node, or of a relay for it. */
export interface Decision extends Ruling {
  readonly requestId: RequestId;
  readonly askDigest: string;
  readonly incarnation: Incarnation;
  readonly responderSessionId: string;
  /** Epoch milliseconds on the responder's clock. */
  readonly respondedAt: number;
  /** Sessions the answer passed on its way back; absent when it came in one hop. */
  readonly via?: readonly string[];
}

/** The ask ends without a ruling. Never allows. */
export interface Refused {
  readonly requestId: RequestId;
  /** Absent only where the ask could not be read. */
  readonly askDigest?: string;
  readonly lost: LostReason;
  /** The session that refuses. */
  readonly at: string;
  readonly detail?: string;
}

/** What a cancel did. */
export type WithdrawnEffect = "withdrawn" | "already_decided" | "unknown";

/** The parent's answer to a cancel. */
export interface Withdrawn {
  readonly requestId: RequestId;
  readonly effect: WithdrawnEffect;
}

/** What a decision did at the child. */
export type ReceiptEffect = "applied" | "duplicate" | "late" | "none";

/** The child's acknowledgement of a decision. */
export interface Receipt {
  readonly requestId: RequestId;
  /** Base64url SHA-256 of the decision's raw body. */
  readonly decisionDigest: string;
  readonly effect: ReceiptEffect;
}

/** Why a child takes an ask back. */
export type CancelReason = "aborted" | "timed_out" | "child_restarted" | "failover";

/** The child takes an ask back. */
export interface Cancel {
  readonly requestId: RequestId;
  readonly why: CancelReason;
}

/** A session says that it lives. */
export interface Presence {
  readonly session: string;
  readonly incarnation: Incarnation;
  readonly state: "up" | "closing" | "bye";
  /** Whether it takes asks of others. */
  readonly serving: boolean;
  readonly openAsks: number;
  /** With `closing`: the session that takes over. */
  readonly successor?: string;
  /** Asks that this session passed on and of whose children it hears nothing; absent when there are none. */
  readonly unheard?: readonly RequestId[];
  /** Head of the session's record chain. */
  readonly record: { readonly n: number; readonly hash: string };
}

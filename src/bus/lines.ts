import type { Ask } from "../ask/ask.ts";
import type {
  Accepted,
  Cancel,
  Decision,
  Presence,
  Progress,
  Receipt,
  Refused,
  Withdrawn,
} from "../ask/messages.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { PublishOutcome } from "./port.ts";

/** An ask with the exact bytes that every repeat carries. */
export interface SealedAsk {
  readonly ask: Ask;
  readonly body: Uint8Array;
  readonly askDigest: string;
}

/** What a child hears. Everything but `no_responders`, `unproven_*` and `stray_decision` came with the ask's proof. */
export type ChildInbound =
  | { readonly kind: "accepted"; readonly message: Accepted }
  | { readonly kind: "progress"; readonly message: Progress }
  | { readonly kind: "decision"; readonly message: Decision; readonly decisionDigest: string }
  | { readonly kind: "refused"; readonly message: Refused }
  /** Named `ask_malformed` or `version_mismatch`; counts only before `accepted`. */
  | { readonly kind: "unproven_refused"; readonly message: Refused }
  | { readonly kind: "withdrawn"; readonly message: Withdrawn; readonly parentToken: string }
  /** The proof is right, the body is not a message of this revision. */
  | { readonly kind: "unreadable"; readonly requestId: RequestId }
  | { readonly kind: "no_responders"; readonly requestId: RequestId; readonly parentToken: string }
  /** Decision for an ask that is not pending in this process; nothing in it can be verified. */
  | {
      readonly kind: "stray_decision";
      readonly requestId: RequestId;
      readonly parentToken: string;
      readonly decisionDigest: string;
    }
  /** Heartbeat of a watched parent. */
  | { readonly kind: "presence"; readonly message: Presence };

/** The child's end of the ask protocol on one connection. */
export interface ChildLine {
  /** Fixes the bytes of an ask; null when they exceed what the wire or this server takes. */
  seal(ask: Ask): SealedAsk | null;
  publishAsk(sealed: SealedAsk, remainingMs: number): PublishOutcome;
  publishCancel(parent: string, cancel: Cancel): PublishOutcome;
  publishReceipt(parentToken: string, receipt: Receipt): PublishOutcome;
  /** Tells a parent that this child lives, so that it goes on serving it. */
  publishPresence(parent: string, presence: Presence): PublishOutcome;
  /** Listens to a parent's heartbeat until the returned function is called. */
  watchParent(parent: string): () => void;
  /** Messages on `dec` that were dropped, by reason. */
  dropped(): Readonly<Record<string, number>>;
  close(): void;
}

/** What a parent hears. The child's identity is always its subject token. */
export type ParentInbound =
  | {
      readonly kind: "ask";
      readonly childToken: string;
      readonly ask: Ask;
      readonly askDigest: string;
      /** The body as text with the nonce's value emptied, for the journal. */
      readonly storedAsk: string;
      /** Milliseconds the child still waits by its own clock; null when it did not say. */
      readonly remainingMs: number | null;
    }
  /** Not an ask of this revision; `requestId` is null when not even its id could be read. */
  | {
      readonly kind: "malformed_ask";
      readonly childToken: string;
      readonly requestId: RequestId | null;
      readonly askDigest: string;
      readonly reason: "ask_malformed" | "version_mismatch";
      readonly fields: readonly string[];
      /** Usable as proof key when it could be read, else null. */
      readonly nonce: string | null;
    }
  | { readonly kind: "cancel"; readonly childToken: string; readonly message: Cancel }
  | { readonly kind: "receipt"; readonly childToken: string; readonly message: Receipt }
  /** A child's presence, or the heartbeat of another process of this very session. */
  | { readonly kind: "child_presence"; readonly childToken: string; readonly message: Presence }
  | { readonly kind: "own_presence"; readonly message: Presence };

/** A message a parent sends on `dec`. */
export type ParentMessage =
  | { readonly kind: "accepted"; readonly message: Accepted }
  | { readonly kind: "progress"; readonly message: Progress }
  | { readonly kind: "decision"; readonly message: Decision }
  | { readonly kind: "refused"; readonly message: Refused }
  | { readonly kind: "withdrawn"; readonly message: Withdrawn };

/** The parent's end of the ask protocol on one connection. */
export interface ParentLine {
  /** The raw body of a message, as JSON text: what is journalled and repeated. */
  encode(message: ParentMessage): string;
  /**
   * Sends a body to `dec.<self>.<childToken>.<requestId>` with its proof. A null nonce sends it unproven,
   * which children take only for `refused` and `withdrawn`.
   */
  send(
    to: { childToken: string; requestId: RequestId; nonce: string | null },
    body: string,
  ): PublishOutcome;
  publishPresence(presence: Presence): PublishOutcome;
  /** Messages that were dropped, by reason. */
  dropped(): Readonly<Record<string, number>>;
  close(): void;
}

import type { LostReason } from "../ask/lost.ts";
import type { Accepted, Decision, Progress, Refused } from "../ask/messages.ts";
import type { SealedAsk } from "../bus/lines.ts";
import type { JournalWrites } from "../journal/journal.ts";

/** How an ask ended. Only a decision that approves lets its call run. */
export type AskEnding =
  | { readonly kind: "decided"; readonly decision: Decision; readonly decisionDigest: string }
  | {
      readonly kind: "lost";
      readonly lost: LostReason;
      /** What the parent said when it was the one that ended the ask, else null. */
      readonly refused: Refused | null;
    };

/** What is written with each step of an ask, in the very transaction of that step. */
export interface AskWriter {
  created(tx: JournalWrites): void;
  /** What `created` wrote is durable. */
  kept(): void;
  /** The ask is put to this parent after `left` was asked in vain. */
  moved?(tx: JournalWrites, left: { readonly parent: string; readonly lost: LostReason }): void;
  accepted(tx: JournalWrites, message: Accepted): void;
  /** False when the ending counts for nothing: the ask was passed on, and had another end below. */
  ended(tx: JournalWrites, ending: AskEnding): boolean;
  /** What `ended` wrote is durable. */
  endKept?(): void;
}

/** One ask as it is put to the parent. */
export interface AskCase {
  readonly sealed: SealedAsk;
  /** Gate value of its request, for whoever looks at what is pending. */
  readonly value: string;
  /** How long the child waits, in milliseconds. */
  readonly lifeMs: number;
  /** Aborting takes the ask back. */
  readonly signal: AbortSignal | undefined;
  readonly writer: AskWriter;
  /** The same ask for each parent that follows, made when its turn comes; null when it fits into no message. */
  readonly others?: readonly (() => AskCase | null)[];
  /** Present when it is passed on for another session. */
  readonly passedOn?: PassedOn;
}

/** What is different about an ask that is put for another session: its row is durable before it is put. */
export interface PassedOn {
  /** Called with every sign of who holds it. */
  readonly moved: (message: Accepted | Progress) => void;
}

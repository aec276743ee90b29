import type { Ask } from "./ask.ts";
import type { Ruling } from "./decision.ts";
import type { CancelReason, HeldBy, ReceiptEffect } from "./messages.ts";
import type { RequestId } from "./request-id.ts";

/** What a session that relays hears of an ask it passed on, when it ends above. */
export interface UpstreamAnswer {
  /** Who decided, each session that passed it on in a frame of its own; nobody's when it was lost above. */
  readonly ruling: Ruling;
  /** Sessions the answer passed: the one that was asked first, the one that decided last. */
  readonly via: readonly string[];
}

/** An ask that a serving session leaves to its own parent. `Tx` is a transaction of their one journal. */
export interface PassedAsk<Tx> {
  /** The ask as its child put it, checked. */
  readonly ask: Ask;
  /** The agent that the origin is attested to be; the claim of the ask where nobody attests one. */
  readonly agentName: string;
  /** Epoch milliseconds on this session's own clock. */
  readonly deadlineAt: number;
  /**
   * Called inside the transaction in which the ask ends above: what it writes stands with it or not at all. False
   * when the ask had another end here; then what was decided above counts for nothing. What it throws undoes both.
   */
  readonly ended: (tx: Tx, answer: UpstreamAnswer) => boolean;
  /**
   * Called once, last of all. `kept`: {@link ended} was called and what it wrote is durable; else nothing was
   * written, and the ask is still to be ended here. Must not throw.
   */
  readonly concluded: (answer: UpstreamAnswer, kept: boolean) => void;
  /** Called when somebody else holds the ask above, or its place there changed. Must not throw. */
  readonly moved: (heldBy: HeldBy, ahead: number) => void;
}

/** One ask on its way up. */
export interface Passing<Tx> {
  /** Writes what another process needs to go on with it, in the transaction that takes the ask into care here. */
  write(tx: Tx): void;
  /** Sends it; what was written is durable. */
  send(): void;
  /** Takes it back. Null: it is left for the next process of this session. Later calls do nothing. */
  takeBack(why: CancelReason | null): void;
}

/** The parent of a session that relays: where it leaves what its own rules leave open. */
export interface Upstream<Tx> {
  /** The session that is asked. */
  readonly session: string;
  /** Makes an ask ready, or takes up the one that an earlier process passed on. Never throws for what is asked. */
  pass(asked: PassedAsk<Tx>): Passing<Tx>;
  /** Says, about once a second, of whose asks that wait above no child is heard: nobody is to answer these there. */
  unheard(requestIds: readonly RequestId[]): void;
  /** Tells the session above what its decision did at the child it was for. */
  receipted(requestId: RequestId, effect: ReceiptEffect): void;
  /** Takes back what is still open above although it has ended here; called about once a second. */
  tidy(): void;
  /** Leaves what is open for the next process, and lets go of everything. */
  close(): Promise<void>;
}

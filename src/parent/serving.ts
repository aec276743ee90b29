import type { Ruling } from "../ask/decision.ts";
import type { HeldBy, Incarnation } from "../ask/messages.ts";
import type { Clock, Link, Log, Terminal } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { Passing, Upstream } from "../ask/upstream.ts";
import type { ParentInbound, ParentLine } from "../bus/lines.ts";
import type { LinkReport } from "../chain/run-chain.ts";
import type { JournalReads, JournalWrites, ServedAskRow } from "../journal/journal.ts";
import type { AnswerBook } from "./answer-book.ts";
import type { Children } from "./children.ts";
import type { Counters } from "./counters.ts";
import type { KeptAsk } from "./kept-ask.ts";
import type { Ledger } from "./ledger.ts";
import type { Drafter } from "./records.ts";
import type { RuleBook } from "./rule-book.ts";
import type { ServedState } from "./served-state.ts";

/** An ask as it came in from its child, checked by the line. */
export type ReceivedAsk = Extract<ParentInbound, { kind: "ask" }>;

/** An ask that is to be decided now: new, or with the dormant row of an earlier process. */
export interface Arrival {
  readonly received: ReceivedAsk;
  readonly row: ServedAskRow | null;
}

/** An undecided ask that this process has taken up. */
export interface LiveAsk extends KeptAsk {
  readonly requestId: RequestId;
  readonly childToken: string;
  readonly askDigest: string;
  /** Key of the proofs of what its child is sent. */
  readonly nonce: string;
  /** How often it was put to somebody before, by earlier processes or while its child was there before. */
  reprompt: number;
  /**
   * Aborted when the ask ends or this process stops: links and terminal take it back. Also when nothing is heard of its
   * child while it is at the terminal; then another one takes its place.
   */
  abort: AbortController;
  state: ServedState;
  heldBy: HeldBy;
  /** What each link made of it so far. */
  readonly links: LinkReport[];
  /** Whether somebody really sees it at this moment. */
  onScreen: boolean;
  /** Whether anybody ever saw it, in this process or an earlier one. */
  wasPresented: boolean;
  /** Epoch milliseconds on this node's clock. */
  deadlineAt: number;
  timer: NodeJS.Timeout | null;
  /** Its way to this session's own parent; null where this session decides itself. */
  passing: Passing<JournalWrites> | null;
}

/** Links and their order, as a parent is given them. */
export interface ChainOptions {
  readonly links: readonly Link[];
  readonly chain: readonly string[];
  readonly linkTimeoutMs: number;
}

/** The links of this node as they are when an ask is put to them. */
export interface ChainHolder {
  /** Puts an ask to the links in configured order; null when they leave it open. */
  ask(live: LiveAsk): Promise<Ruling | null>;
  /** Notes that this session relays, and leaves an ask to the links of the one that decides. */
  delegate(live: LiveAsk): void;
  /** True when every ask that rules leave open goes straight to the terminal. */
  isEmpty(): boolean;
  /**
   * Asks other links from now on, also about what links hold at this moment.
   *
   * @throws Error when two links have one name; nothing changes then.
   */
  replace(options: ChainOptions): void;
  /** What was counted about each link, by name. */
  counts(): Readonly<Record<string, number>>;
}

/**
 * New asks that the rules left open, until the message that brought the last of them is read to its end: what
 * comes together is kept by one sync of the disk. Nobody was told anything about them yet.
 */
export interface Arrivals {
  add(arrival: Arrival): void;
  has(requestId: RequestId): boolean;
  /** Takes them into this node's care now: before anything that might concern one of them. */
  settle(): void;
  /** Lets go of them: their children repeat. */
  close(): void;
}

/** Tells observers what happened, at best effort. Never throws. */
export type Tell = (kind: "ui_prompt" | "decision" | "ready", event: object) => void;

/** What the functions of this room share while one process serves. */
export interface Serving {
  readonly session: string;
  readonly incarnation: Incarnation;
  readonly line: ParentLine;
  readonly read: JournalReads;
  readonly ledger: Ledger;
  readonly answers: AnswerBook;
  readonly rules: RuleBook;
  readonly chain: ChainHolder;
  readonly terminal: Terminal;
  /** This session's own parent, which decides in the place of links and terminal; null where it has none. */
  readonly upstream: Upstream<JournalWrites> | null;
  /** Agent names this node attests, by session. */
  readonly roster: ReadonlyMap<string, string>;
  readonly draft: Drafter;
  readonly tell: Tell;
  readonly clock: Clock;
  readonly log: Log;
  readonly counters: Counters;
  /** Says whether a matter may be told again: at most once a second each, so that a flood fills no disk. */
  readonly mayTell: (matter: string) => boolean;
  readonly arrivals: Arrivals;
  /** The session that takes over from this one; null while none does. */
  successor: string | null;
  /** Who asks here, and whether they live. */
  readonly children: Children;
  /** What was put to the terminal and has no end yet. */
  readonly atTerminal: Set<RequestId>;
  /** Undecided asks that this process has taken up, in order of arrival. */
  readonly live: Map<RequestId, LiveAsk>;
  /** Deadlines of undecided rows that wait for their child to repeat. */
  readonly dormant: Map<RequestId, number>;
  /** Decisions of earlier processes without a receipt, which are still to be sent again; emptied from its front. */
  readonly unreceipted: RequestId[];
  /** Cancelled before they came, with the tombstone under way to the disk; see {@link graveOf}. */
  readonly graves: Set<string>;
}

/** Names an ask of a child in {@link Serving.graves}. */
export function graveOf(requestId: RequestId, childToken: string): string {
  return `${childToken} ${requestId}`;
}

import type { Grant, StandingScope } from "../ask/grant.ts";
import type { CancelReason, Incarnation, ReceiptEffect } from "../ask/messages.ts";
import type { RecordDraft, RecordHeader } from "../ask/record.ts";
import type { RequestId } from "../ask/request-id.ts";

/** An ask this session has put to a parent. Nonce and body are kept of those alone that it passed on, while open. */
export interface ChildAskRow {
  readonly requestId: RequestId;
  readonly parent: string;
  readonly askDigest: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** The process that put it, see {@link Journal.owner}. */
  readonly owner: string;
  /** Whether it was put for another session, which this one serves under the same id. */
  readonly passedOn: boolean;
  /** Null while it is open. */
  readonly end: ChildAskEnd | null;
}

/** An ask of this session's own as it is put. */
export type NewChildAsk = Omit<ChildAskRow, "owner" | "passedOn" | "end">;

/** An ask that is put for another session, with the exact bytes of its message, nonce and all. */
export interface NewPassedAsk extends NewChildAsk {
  readonly body: Uint8Array;
}

/** How a child's ask ended. */
export interface ChildAskEnd {
  readonly outcome: "allowed" | "denied" | "lost";
  /** Digest of the decision that was applied; null when none was. */
  readonly decisionDigest: string | null;
  readonly lost: string | null;
  readonly endedAt: number;
}

/** A cancel that is repeated until its parent answers. */
export interface QueuedCancel {
  readonly requestId: RequestId;
  readonly parent: string;
  readonly why: CancelReason;
  readonly queuedAt: number;
}

/** An ask this session serves. */
export interface ServedAskRow {
  readonly requestId: RequestId;
  /** The child as its subject token: the identity that the server attests. */
  readonly childToken: string;
  readonly askDigest: string;
  /** The ask as JSON text without its nonce. */
  readonly ask: string;
  /** First receipt and end of life on this node's clock, epoch milliseconds. */
  readonly receivedAt: number;
  readonly deadlineAt: number;
  /** How often it was really put to somebody. */
  readonly presented: number;
  /** Whether `accepted` was sent. */
  readonly accepted: boolean;
  /** Null while undecided. */
  readonly end: ServedAskEnd | null;
  /** The effect the child reported for the answer; null until a receipt came. */
  readonly receipt: ReceiptEffect | null;
}

/** A served ask with its place in the order of arrival. */
export type PlacedServedAsk = ServedAskRow & { readonly place: number };

/** A served ask as it arrives. */
export type NewServedAsk = Omit<ServedAskRow, "end" | "receipt" | "presented" | "accepted">;

/** How a served ask ended, with the exact bytes that are repeated to the child. */
export interface ServedAskEnd {
  readonly kind: "decision" | "refused" | "withdrawn";
  /** Raw body of the answer as JSON text. */
  readonly answer: string;
  readonly endedAt: number;
}

/** A record as it waits in the outbox. */
export interface OutboxRow {
  readonly n: number;
  readonly header: Uint8Array;
  readonly salt: Uint8Array;
  readonly body: Uint8Array;
  /** Epoch milliseconds of the stream's acknowledgement; null while it is not acknowledged. */
  readonly ackedAt: number | null;
  /** Why no stream will ever take it as it is; null for all others. */
  readonly parked: string | null;
}

/** What can be asked about the records on their way to the stream. */
export interface OutboxReads {
  /** Records from `fromN` on, in order, at most `limit`. */
  outbox(fromN: number, limit: number): readonly OutboxRow[];
  /** Records that were set aside, in order, at most `limit`. */
  parked(limit: number): readonly OutboxRow[];
  /** Bytes and rows the outbox holds. */
  outboxSize(): { readonly rows: number; readonly bytes: number };
  /**
   * Place of the first record that is not set aside, the one after the last when there is none; up to where
   * records are acknowledged; how many are set aside.
   */
  outboxState(): { readonly firstN: number; readonly ackedN: number; readonly parked: number };
  /** The last record's place and the base64url SHA-256 of its header bytes; `{n: 0, hash: ""}` before the first. */
  head(): { readonly n: number; readonly hash: string };
}

/** What whoever ships records to the stream changes. */
export interface OutboxWrites {
  /** Marks records up to and including `n` as acknowledged. */
  ackOutbox(n: number, at: number): void;
  /** Moves the time of all acknowledgements up to `n` to `at`: the stream gave them again. */
  renewOutbox(n: number, at: number): void;
  /** Sets a record aside: it stays whole and holds up no other, neither on its way out nor at trimming. */
  parkOutbox(n: number, why: string): void;
  /** Removes a record that was set aside and that a stream has taken after all. */
  dropParked(n: number): void;
  /**
   * Removes records from the front that were acknowledged before `before`, up to the first that was not and
   * none beyond `upTo`; returns how many. What is set aside stays. @defaultValue every record
   */
  trimOutbox(before: number, upTo?: number): number;
}

/** The records of a session on their way to the stream, without a part in the session's life. */
export interface Outbox {
  readonly session: string;
  readonly read: OutboxReads;
  /** Runs `work` in one transaction, see {@link Journal.write}. */
  write<T>(work: (tx: OutboxWrites) => T): T;
}

/** What a journal can be asked. */
export interface JournalReads extends OutboxReads {
  childAsk(requestId: RequestId): ChildAskRow | null;
  /** Open asks of this session's own whose process is dead. */
  orphans(): readonly ChildAskRow[];
  /** The bytes of an open ask that was passed on; null for every other. */
  passedBody(requestId: RequestId): Uint8Array | null;
  /** Open asks that were passed on for asks which have ended here, or are here no longer. */
  outlivedPassedAsks(): readonly ChildAskRow[];
  /** Says whether the process that an owner names lives; one that cannot be looked at counts as living. */
  ownerLives(owner: string): boolean;
  queuedCancels(): readonly QueuedCancel[];
  servedAsk(requestId: RequestId): ServedAskRow | null;
  /** Undecided served asks, oldest first. */
  openServedAsks(): readonly ServedAskRow[];
  /** Undecided served asks behind a place in the order of arrival (0: from the first), at most `limit`. */
  openServedAsksAfter(place: number, limit: number): readonly PlacedServedAsk[];
  /** Ended served asks without a receipt, oldest first. */
  unreceiptedServedAsks(): readonly ServedAskRow[];
  /** Says whether a cancel for this unknown ask came before. */
  hasTombstone(requestId: RequestId, childToken: string): boolean;
  /** Grants of this session life and of this scope that have not expired at `now`, in the order they were given. */
  grants(now: number, scope: StandingScope): readonly Grant[];
  /** A grant of this session life as it stands now; null when there is none, or no longer. */
  grant(grantId: string): Grant | null;
}

/** What can be changed inside one transaction. Everything in it becomes durable together, or nothing. */
export interface JournalWrites extends JournalReads, OutboxWrites {
  insertChildAsk(row: NewChildAsk): void;
  /**
   * Writes an ask that is passed on, or takes over the open one of this id that an earlier process passed on. False
   * when the id stands for another ask of this session, or for one that has ended; nothing changes then.
   */
  passOnAsk(row: NewPassedAsk): boolean;
  /** Points an open ask at another parent. False when it has ended or is unknown; nothing changes then. */
  moveChildAsk(requestId: RequestId, to: Pick<NewChildAsk, "parent" | "askDigest">): boolean;
  /** False when the ask is unknown or has ended already; nothing changes then. */
  endChildAsk(requestId: RequestId, end: ChildAskEnd): boolean;
  queueCancel(cancel: QueuedCancel): void;
  dropCancel(requestId: RequestId, parent: string): void;
  insertServedAsk(row: NewServedAsk): void;
  /** Writes an ask together with its end. False when its id has a row already; nothing changes then. */
  insertEndedAsk(row: NewServedAsk, end: ServedAskEnd): boolean;
  markAccepted(requestId: RequestId): void;
  /** Counts one more presentation and returns how many there were before. */
  countPresented(requestId: RequestId): number;
  /** False when the ask is unknown or an end stands; nothing changes then. */
  endServedAsk(requestId: RequestId, end: ServedAskEnd): boolean;
  /** Notes the receipt of this very answer. False when another end stands or a receipt came before; nothing changes then. */
  setReceipt(requestId: RequestId, answer: string, effect: ReceiptEffect): boolean;
  insertTombstone(requestId: RequestId, childToken: string, at: number): void;
  addGrant(grant: Grant): void;
  countGrantUse(grantId: string): void;
  /** False when no such grant stands in this life. */
  revokeGrant(grantId: string): boolean;
  /** Removes the grants of this life and scope that have expired at `now`, and returns them. */
  takeExpiredGrants(now: number, scope: StandingScope): readonly Grant[];
  /**
   * Gives the draft its place in the chain and writes it to the outbox. A body that no stream would take is
   * replaced by the entry `audit.oversize` with its size and digest.
   *
   * @throws {@link JournalError} `journal_full` for a record of an ask while the outbox is at its limit.
   */
  record(draft: RecordDraft, time: number): RecordHeader;
  /** Removes ended asks, tombstones and grants of earlier lives that nobody needs after `now`; returns how many. */
  sweep(now: number): number;
}

/**
 * The memory of one session on one machine: a SQLite file (WAL, synchronous FULL) that several processes
 * of the session may have open. Survives the death of any of them at any instant.
 */
export interface Journal extends AsyncDisposable {
  readonly session: string;
  /** Path of the SQLite file. */
  readonly file: string;
  /** This process in the session life. */
  readonly incarnation: Incarnation;
  /** Counts the session's lives: a clean end closes one, the next opening begins another. */
  readonly life: number;
  /** Names this process in rows; its lock is released by the process's death. */
  readonly owner: string;
  readonly read: JournalReads;
  /**
   * Runs `work` in one durable transaction and returns its value.
   *
   * @throws {@link JournalError} when the file cannot be written; nothing of `work` stands then.
   * Whatever `work` throws undoes the transaction and is thrown on.
   */
  write<T>(work: (tx: JournalWrites) => T): T;
  /**
   * Runs `work` in the next group commit, at most 10 ms later. Resolves when it is durable.
   * Rejects with {@link JournalError} when it is not; a `work` that throws rejects alone.
   */
  group(work: (tx: JournalWrites) => void): Promise<void>;
  /**
   * As {@link Journal.group}, without the wait: works of one turn of the event loop share a commit at its end.
   * For what somebody waits for.
   */
  soon(work: (tx: JournalWrites) => void): Promise<void>;
  /** Ends the process's part; `clean` ends the session life when no other process has it open. */
  close(clean: boolean): Promise<void>;
}

/** Codes of {@link JournalError}. */
export type JournalErrorCode =
  | "journal_unwritable"
  | "journal_full"
  | "journal_corrupt"
  | "journal_newer"
  | "journal_foreign";

/** Thrown when the journal cannot be opened or written. The message names the file and the way out. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly code: JournalErrorCode;
  readonly file: string;

  constructor(code: JournalErrorCode, file: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.file = file;
  }
}

import type { RecordKind } from "../ask/record.ts";

/** A message as the stream had it. */
export interface KeptMessage {
  readonly subject: string;
  /** Read only where the message is set aside. */
  headers(): Readonly<Record<string, readonly string[]>>;
  readonly data: Uint8Array;
  /** Place in the stream. Kept for whoever looks; never a key, since a server may give a place twice. */
  readonly sequence: number;
  /** Epoch milliseconds at which the server took it. */
  readonly takenAt: number;
}

/** A checked record on its way into a store. */
export interface NewRecord {
  /** 32 hex digits; the one thing that is unique. */
  readonly eventId: string;
  /** The session as its token, which the server attests. */
  readonly sessionToken: string;
  readonly n: number;
  readonly kind: RecordKind;
  /** The event of a review entry; null for other kinds. */
  readonly event: string | null;
  readonly requestId: string | null;
  /** The id the request had on the wire where that is another. */
  readonly wireId: string | null;
  /** The host's own id of the call. */
  readonly toolCallId: string | null;
  /** Epoch milliseconds on the session's clock. */
  readonly time: number;
  readonly header: Uint8Array;
  readonly salt: Uint8Array;
  readonly body: Uint8Array;
  readonly message: KeptMessage;
}

/** Farthest time from 1970 that a date can have, in milliseconds. */
const MOST_TIME = 8.64e15;

/** The time a record is found by: its own in whole milliseconds, and one that no date can have as the nearest. */
export function filedTime(time: number): number {
  return Math.round(Math.min(Math.max(time, -MOST_TIME), MOST_TIME));
}

/**
 * The text a record is found by. Node 22 reads a text column only up to its first NUL: a sign that stands for it is
 * kept in its place, so that the row says the same to every reader.
 */
export function filedText<T extends string | null>(text: T): T {
  return (text?.replaceAll("\u0000", "\ufffd") ?? null) as T;
}

/** A message that is no record, with the reason. */
export interface NewDeadLetter {
  readonly fault: string;
  readonly message: KeptMessage;
}

/** What becomes durable together. */
export interface NewBatch {
  readonly records: readonly NewRecord[];
  readonly deadLetters: readonly NewDeadLetter[];
}

/** What a batch came to. Everything in it is accounted for once. */
export interface AppendResult {
  readonly kept: number;
  /** Records the store had already. */
  readonly duplicates: number;
  /** Messages set aside now, those under another record's event id among them. */
  readonly deadLetters: number;
}

/**
 * A record as a store has it. What it is found by is what the store says now: bytes and words that were changed
 * behind its back come as they are, and verifying names them.
 */
export interface StoredRecord {
  /** Order in which records came into this store, from 1. */
  readonly place: number;
  readonly eventId: string;
  readonly sessionToken: string;
  readonly n: number;
  /** One of the kinds of record, unless it was changed. */
  readonly kind: string;
  readonly event: string | null;
  readonly requestId: string | null;
  readonly wireId: string | null;
  readonly toolCallId: string | null;
  readonly time: number;
  readonly header: Uint8Array;
  /** Null where it was erased, and the body with it. */
  readonly salt: Uint8Array | null;
  readonly body: Uint8Array | null;
  readonly takenAt: number;
  readonly keptAt: number;
}

/** A message that was set aside. */
export interface StoredDeadLetter {
  /** Order in which messages were set aside in this store, from 1. */
  readonly place: number;
  readonly fault: string;
  /** False where its subject, headers or data are not those it was set aside with. */
  readonly whole: boolean;
  readonly message: KeptMessage;
  readonly keptAt: number;
}

/** Which records are looked for; what is absent does not count. */
export interface RecordFilter {
  readonly sessionToken?: string;
  /** The id of the request, or the one it had on the wire. */
  readonly requestId?: string;
  readonly toolCallId?: string;
  readonly kind?: RecordKind;
  readonly event?: string;
  /** Epoch milliseconds on the sessions' clocks, inclusive. */
  readonly since?: number;
  readonly until?: number;
}

/** What a store holds of one session. */
export interface SessionHoldings {
  readonly sessionToken: string;
  readonly records: number;
  readonly firstN: number;
  readonly lastN: number;
  /** Places between `firstN` and `lastN` that are there at least once. */
  readonly places: number;
}

/** Rows that a store had and has no more: nothing of this product removes any. */
export interface RemovedRows {
  readonly from: "records" | "dead_letters";
  /** Their places, in the order in which rows came into the store. */
  readonly fromPlace: number;
  readonly toPlace: number;
}

/** Records that are not there although later ones of their session are. */
export interface Gap {
  readonly sessionToken: string;
  readonly fromN: number;
  readonly toN: number;
}

/** What a store can be asked. Every answer is one consistent view. */
export interface AuditReads {
  /** In the order they came, those behind `afterPlace`, at most `limit`. */
  list(filter: RecordFilter, afterPlace: number, limit: number): Promise<readonly StoredRecord[]>;
  /** The same from the newest on, those before `beforePlace`. */
  listBack(
    filter: RecordFilter,
    beforePlace: number,
    limit: number,
  ): Promise<readonly StoredRecord[]>;
  /** Every record of these requests, wire ids included, by session and place in its chain. */
  story(requestIds: readonly string[]): Promise<readonly StoredRecord[]>;
  /** The requests of the records that a filter finds, each once, in the order they came. */
  requests(filter: RecordFilter): Promise<readonly string[]>;
  sessions(): Promise<readonly SessionHoldings[]>;
  /** Records of a session in the order of their chain, those with `n` from `fromN` on, at most `limit`. */
  chain(sessionToken: string, fromN: number, limit: number): Promise<readonly StoredRecord[]>;
  /** Missing records of one session, or of all: those before the first that is there among them. */
  gaps(sessionToken?: string): Promise<readonly Gap[]>;
  /** How many of the places from `fromN` to `toN` of a session's chain are there. */
  placesBetween(sessionToken: string, fromN: number, toN: number): Promise<number>;
  /** Rows that were removed behind the store's back, the newest ones among them, in the order of their places. */
  removed(): Promise<readonly RemovedRows[]>;
  deadLetters(afterPlace: number, limit: number): Promise<readonly StoredDeadLetter[]>;
  counts(): Promise<{ readonly records: number; readonly deadLetters: number }>;
}

/**
 * Where records are kept. Header and body stay as the bytes that came; columns beside them are for queries only.
 * An event id is there once, whatever the stream does.
 */
export interface AuditStore extends AuditReads, AsyncDisposable {
  /** Made with the store and never changed; names its place in the stream. Letters and digits. */
  readonly id: string;
  /** Where it is, for people. */
  readonly where: string;
  /**
   * Makes the batch durable, all of it or nothing.
   *
   * @throws {@link StoreError} when the store cannot take anything now; the same batch may be given again.
   * Whatever else is thrown is about something in the batch.
   */
  append(batch: NewBatch, keptAt: number): Promise<AppendResult>;
}

/** Codes of {@link StoreError}. */
export type StoreErrorCode =
  | "store_missing"
  | "store_unusable"
  | "store_full"
  | "store_corrupt"
  | "store_newer"
  | "store_foreign";

/** Thrown when a store cannot be opened, read or written. The message names the place and the way out. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

import type { Clock } from "../ask/ports.ts";
import type { Outbox, OutboxRow } from "../journal/journal.ts";
import { type Flights, openFlights } from "./outbox-flight.ts";

/** How long a record stays after its acknowledgement: a server that loses power may forget the last of them. */
const KEEP_MS = 4_000;

/** The same for servers that write through every two minutes and cannot be told otherwise. */
const KEEP_LONG_MS = 150_000;

/** From this age on a second acknowledgement counts, whether the stream still knew the record or not. */
const REPLAY_OVER_MS = 600_000;

const FLUSH_MS = 50;
const TRIM_MS = 1_000;
const MOST_PARKED = 100;

/** What is written down about an outbox while it is pumped. */
export interface OutboxMarks {
  /** A connection begins: everything the outbox holds is to be sent, what was acknowledged before it again. */
  begin(): Flights;
  /** The next records to send, at most `limit`. */
  read(flights: Flights, limit: number): readonly OutboxRow[];
  taken(row: OutboxRow, duplicate: boolean): void;
  park(row: OutboxRow, why: string): void;
  /** Writes down, now and then or `now`, that records up to `settledUpTo` are acknowledged, and trims. */
  flush(settledUpTo: number, now?: boolean): void;
  /** Says whether the outbox holds nothing but what is set aside. */
  isEmpty(): boolean;
}

/** Opens the marks of an outbox. */
export function openOutboxMarks(parts: {
  readonly outbox: Outbox;
  readonly clock: Clock;
  /** Version of the server, such as `2.10.27`. */
  readonly version: () => string;
}): OutboxMarks {
  const { outbox, clock } = parts;
  /** Records acknowledged before this connection reach up to here. */
  let replayEnd = 0;
  let renewed = true;
  /** Whether the stream had forgotten, or had not yet kept for sure, one of them. */
  let fresh = false;
  let writtenUpTo = 0;
  let untrimmed = true;
  let flushedAt = Number.NEGATIVE_INFINITY;
  let trimmedAt = Number.NEGATIVE_INFINITY;
  let aside: OutboxRow[] = [];
  let dropped: number[] = [];

  const keepMs = (): number => (isBefore210(parts.version()) ? KEEP_LONG_MS : KEEP_MS);
  /** What a write now would do; null when there is nothing to write. */
  const dueWork = (
    settledUpTo: number,
    monotonic: number,
  ): { readonly renew: boolean; readonly trim: boolean } | null => {
    const replayed = settledUpTo >= replayEnd;
    const renew = replayed && fresh && !renewed;
    const trim = replayed && untrimmed && monotonic - trimmedAt >= TRIM_MS;
    const nothing = settledUpTo <= writtenUpTo && dropped.length === 0;
    return nothing && !renew && !trim ? null : { renew, trim };
  };
  const written = (settledUpTo: number, trimmed: number | null): void => {
    if (trimmed !== null) {
      trimmedAt = trimmed;
      untrimmed = outbox.read.outboxState().firstN <= settledUpTo;
    }
    untrimmed ||= settledUpTo > writtenUpTo;
    renewed ||= settledUpTo >= replayEnd;
    writtenUpTo = Math.max(writtenUpTo, settledUpTo);
    dropped = [];
  };

  return {
    begin: () => {
      const { firstN, ackedN } = outbox.read.outboxState();
      replayEnd = ackedN;
      writtenUpTo = replayEnd;
      renewed = false;
      fresh = false;
      untrimmed = true;
      dropped = [];
      aside = [...outbox.read.parked(MOST_PARKED)];
      return openFlights(firstN);
    },
    read: (flights, limit) => {
      if (aside.length > 0) return aside.splice(0, limit);
      const rows: OutboxRow[] = [];
      for (const row of outbox.read.outbox(flights.next, limit)) {
        const seenTo = row.parked !== null || (row.ackedAt !== null && row.n > replayEnd);
        const last = rows.at(-1)?.n;
        if (last !== undefined && (seenTo || row.n !== last + 1)) break;
        if (last === undefined) flights.skip(seenTo ? row.n : row.n - 1);
        if (!seenTo) rows.push(row);
      }
      return rows;
    },
    taken: (row, duplicate) => {
      if (row.parked !== null) dropped.push(row.n);
      if (row.ackedAt === null) return;
      const age = clock.now() - row.ackedAt;
      if (age < keepMs() || (!duplicate && age < REPLAY_OVER_MS)) fresh = true;
    },
    park: (row, why) => {
      if (row.parked === null) outbox.write((tx) => tx.parkOutbox(row.n, why));
    },
    flush: (settledUpTo, now = false) => {
      const monotonic = clock.monotonic();
      if (!now && monotonic - flushedAt < FLUSH_MS) return;
      const due = dueWork(settledUpTo, monotonic);
      if (due === null) return;
      flushedAt = monotonic;
      const at = clock.now();
      outbox.write((tx) => {
        if (due.renew) tx.renewOutbox(replayEnd, at);
        tx.ackOutbox(settledUpTo, at);
        for (const n of dropped) tx.dropParked(n);
        if (due.trim) tx.trimOutbox(at - keepMs(), settledUpTo);
      });
      written(settledUpTo, due.trim ? monotonic : null);
    },
    isEmpty: () => outbox.read.outboxState().firstN > outbox.read.head().n,
  };
}

function isBefore210(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major < 2 || (major === 2 && minor < 10);
}

import type { OutboxRow } from "../journal/journal.ts";

/** A record that was sent and is not acknowledged. */
export interface Flight {
  readonly row: OutboxRow;
  /** Monotonic milliseconds of its last sending; it is due again 1.5 s later. */
  sentAt: number;
}

/** Which records of an outbox are on their way, and up to where all are taken, on one connection. */
export interface Flights {
  /** Place of the next record to read. */
  readonly next: number;
  /** Every record up to here is taken or set aside. */
  readonly settledUpTo: number;
  readonly size: number;
  add(row: OutboxRow, sentAt: number): void;
  /** Passes every record up to `n` that was not sent: it was seen to otherwise. */
  skip(n: number): void;
  /** Takes a record out; undefined when it is not on its way. */
  land(n: number): Flight | undefined;
  /** Records last sent before `time`, in their order. */
  dueBefore(time: number): readonly Flight[];
  all(): Iterable<Flight>;
}

/** Starts at the first record of an outbox. */
export function openFlights(firstN: number): Flights {
  const flying = new Map<number, Flight>();
  /** Settled places beyond the first open one. */
  const ahead = new Set<number>();
  let next = firstN;
  let settledUpTo = firstN - 1;

  const settle = (n: number): void => {
    ahead.add(n);
    while (ahead.delete(settledUpTo + 1)) settledUpTo += 1;
  };
  return {
    get next() {
      return next;
    },
    get settledUpTo() {
      return settledUpTo;
    },
    get size() {
      return flying.size;
    },
    add: (row, sentAt) => {
      flying.set(row.n, { row, sentAt });
      if (row.parked === null) next = Math.max(next, row.n + 1);
    },
    skip: (n) => {
      for (; next <= n; next += 1) settle(next);
    },
    land: (n) => {
      const flight = flying.get(n);
      if (flight === undefined) return undefined;
      flying.delete(n);
      if (flight.row.parked === null && n > settledUpTo) settle(n);
      return flight;
    },
    dueBefore: (time) => [...flying.values()].filter(({ sentAt }) => sentAt < time),
    all: () => flying.values(),
  };
}

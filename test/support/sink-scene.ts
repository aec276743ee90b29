import type { Clock, Log } from "../../src/ask/ports.ts";
import { openSink, type Sink } from "../../src/audit/sink.ts";
import type { BusEvent, BusPort } from "../../src/bus/port.ts";
import type { FeedEntry, FeedFacts, RecordFeed } from "../../src/bus/record-feed.ts";
import type { RecordStream, StreamFacts } from "../../src/bus/record-stream.ts";
import type { AuditStore, NewBatch } from "../../src/store/store.ts";

/** A stream that hands out what a test gives it, and a store that does what a test says. */
export interface SinkScene extends AsyncDisposable {
  readonly sink: Sink;
  /** Hands out one batch. */
  give(...entries: FeedEntry[]): void;
  /** Batches acknowledged and given back so far. */
  acked(): number;
  givenBack(): number;
  /** Every batch that the store made durable. */
  readonly kept: readonly NewBatch[];
  /** What the store does with a batch before it keeps it; throwing refuses it. */
  onAppend(check: (batch: NewBatch) => void): void;
  facts: FeedFacts | null;
  stream: StreamFacts | null;
  trouble(why: string | null): void;
  /** Says what became of the connection. */
  link(event: BusEvent): void;
  readonly told: readonly { readonly level: keyof Log; readonly text: string }[];
  pass(ms: number): void;
}

/** Sets one up. */
export async function aSink(): Promise<SinkScene> {
  const queue: (readonly FeedEntry[])[] = [];
  const kept: NewBatch[] = [];
  const told: { level: keyof Log; text: string }[] = [];
  const say =
    (level: keyof Log) =>
    (_fields: object, text: string): void =>
      void told.push({ level, text });
  const log: Log = {
    debug: say("debug"),
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
  };
  let offset = 0;
  const clock: Clock = {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
  };
  let wake: () => void = () => undefined;
  let closed = false;
  let acked = 0;
  let givenBack = 0;
  let check: (batch: NewBatch) => void = () => undefined;
  let tellLink: (event: BusEvent) => void = () => undefined;
  let onTrouble: (why: string | null) => void = () => undefined;
  let at: readonly FeedEntry[] | null = null;
  const feed: RecordFeed = {
    next: async () => {
      while (queue.length === 0 && !closed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      const entries = queue.shift();
      if (entries === undefined) return null;
      at = entries;
      return {
        entries,
        ack: () => {
          acked += 1;
          at = null;
        },
      };
    },
    giveBack: () => {
      givenBack += 1;
      if (at !== null) queue.unshift(at);
      at = null;
    },
    facts: async () => Promise.resolve(scene.facts),
    close: async () => {
      closed = true;
      wake();
      await Promise.resolve();
    },
    [Symbol.asyncDispose]: async () => feed.close(),
  };
  const stream: RecordStream = {
    facts: async () => Promise.resolve(scene.stream),
    check: async () => Promise.resolve([]),
    create: async () => Promise.resolve(),
    change: async () => Promise.resolve(),
    reread: async () => Promise.resolve(),
    read: async (options) => {
      onTrouble = options.onTrouble ?? onTrouble;
      return Promise.resolve(feed);
    },
  };
  const store: Pick<AuditStore, "id" | "where" | "append" | "gaps"> = {
    gaps: async () => Promise.resolve([]),
    id: "abc",
    where: "/store",
    append: async (batch) => {
      check(batch);
      kept.push(batch);
      return Promise.resolve({
        kept: batch.records.length,
        duplicates: 0,
        deadLetters: batch.deadLetters.length,
      });
    },
  };
  const scene = {
    facts: { pending: 0, unacknowledged: 0 } as FeedFacts | null,
    stream: null as StreamFacts | null,
  };
  const port: Pick<BusPort, "onEvent"> = {
    onEvent: (listener) => {
      tellLink = listener;
      return () => undefined;
    },
  };
  const sink = await openSink({ stream, port, store: store as AuditStore, clock, log });
  return Object.assign(scene, {
    sink,
    give: (...entries: FeedEntry[]) => {
      queue.push(entries);
      wake();
    },
    acked: () => acked,
    givenBack: () => givenBack,
    kept,
    onAppend: (next: (batch: NewBatch) => void) => {
      check = next;
    },
    trouble: (why: string | null) => onTrouble(why),
    link: (event: BusEvent) => tellLink(event),
    told,
    pass: (ms: number) => {
      offset += ms;
    },
    [Symbol.asyncDispose]: async () => sink.close(),
  });
}

/** An entry of the stream that is a record. */
export function anEntry(n: number): FeedEntry {
  const eventId = n.toString(16).padStart(32, "0");
  return {
    kind: "record",
    subject: "af.v1.crew.audit.worker.review",
    headers: () => ({}),
    data: Buffer.from("{}"),
    sequence: n,
    takenAt: 1_000 + n,
    sessionToken: "worker",
    head: {
      eventId,
      session: "worker",
      n,
      prev: null,
      kind: "review",
      time: n,
      requestId: null,
      incarnation: "1.a",
      bodyDigest: "d",
    },
    header: Buffer.from("h"),
    salt: Buffer.from("s"),
    body: Buffer.from("{}"),
    names: { event: "audit.started", wireId: null, toolCallId: null },
  };
}

/** An entry of the stream that is no record. */
export function aStray(): FeedEntry {
  return {
    kind: "unreadable",
    fault: "body_malformed",
    subject: "af.v1.crew.audit.worker.review",
    headers: () => ({}),
    data: Buffer.from("what"),
    sequence: 1,
    takenAt: 1_000,
  };
}

/** Refuses the first `times` batches with `error`. */
export function failTimes(times: number, error: Error): (batch: NewBatch) => void {
  let left = times;
  return () => {
    left -= 1;
    if (left >= 0) throw error;
  };
}

/** Refuses every batch that holds the record with place `n`. */
export function rejectPlace(place: number): (batch: NewBatch) => void {
  return ({ records }) => {
    if (records.some(({ n }) => n === place)) throw new TypeError("cannot be bound");
  };
}

import {
  AckPolicy,
  type Consumer,
  type ConsumerConfig,
  type ConsumerMessages,
  DeliverPolicy,
  type JetStreamManager,
  type JsMsg,
  jetstream,
} from "@nats-io/jetstream";
import type { MsgHdrs, NatsConnection } from "@nats-io/transport-node";
import type { RecordHeader } from "../ask/record.ts";
import { type RecordFault, type RecordNames, readRecord } from "../wire/record.ts";
import { createSubjects, type ParsedSubject, type Subjects } from "../wire/subjects.ts";
import { headersOf } from "./nats-message.ts";
import { isApiError, missing, StreamError, toStreamError } from "./stream-error.ts";
import { RECORD_STREAM } from "./stream-settings.ts";

/** How a stream is read. */
export interface RecordFeedOptions {
  /** Names the place in the stream that the server keeps for this reader; letters, digits, `_` and `-`. */
  readonly reader: string;
  /** Most records of a batch. @defaultValue 1000 */
  readonly batch?: number;
  /** How long a batch waits to fill up after its first record, in milliseconds. @defaultValue 50 */
  readonly lingerMs?: number;
  /** Told when reading stops for a while, and with null when it goes on. */
  readonly onTrouble?: (why: string | null) => void;
}

/** One message of the stream. */
export type FeedEntry = {
  /** As the stream has it. */
  readonly subject: string;
  headers(): Readonly<Record<string, readonly string[]>>;
  readonly data: Uint8Array;
  /** Place in the stream; says nothing about order, and may be given again after a power loss. */
  readonly sequence: number;
  /** Epoch milliseconds at which the server took it. */
  readonly takenAt: number;
} & (
  | {
      readonly kind: "record";
      /** The publisher as its subject token: the identity that the server attests. */
      readonly sessionToken: string;
      readonly head: RecordHeader;
      readonly header: Uint8Array;
      readonly salt: Uint8Array;
      readonly body: Uint8Array;
      readonly names: RecordNames;
    }
  | { readonly kind: "unreadable"; readonly fault: RecordFault }
);

/** Messages that were handed out together. */
export interface FeedBatch {
  readonly entries: readonly FeedEntry[];
  /** Tells the server that all of them are kept. */
  ack(): void;
}

/** What the server says about a reader's place. */
export interface FeedFacts {
  /** Messages that were not handed out yet. */
  readonly pending: number;
  /** Messages handed out and not acknowledged. */
  readonly unacknowledged: number;
}

/** A durable reader of the audit stream. Each message comes until it was acknowledged, maybe more than once. */
export interface RecordFeed extends AsyncDisposable {
  /** Waits for the next batch; null when the feed is closed. Reading goes on through every reconnect. */
  next(): Promise<FeedBatch | null>;
  /** Gives back whatever was handed out and not acknowledged; reading begins again with the next `next`. */
  giveBack(): void;
  /** Null when the server does not answer. */
  facts(): Promise<FeedFacts | null>;
  close(): Promise<void>;
}

/** A message that came and was read, and is not acknowledged. */
interface Received {
  readonly message: JsMsg;
  readonly entry: FeedEntry;
}

/** What a feed reads from. */
export interface FeedSource {
  readonly connection: NatsConnection;
  readonly manager: () => Promise<JetStreamManager>;
  readonly prefix: string;
  /** The server, for errors. */
  readonly where: string;
}

const BATCH = 1_000;
const BATCH_BYTES = 16 * 1024 * 1024;
const LINGER_MS = 50;
const ACK_WAIT_MS = 10_000;
const MOST_UNACKED = 4_000;
const PULL = { max_messages: 2_000, expires: 10_000, idle_heartbeat: 1_000 } as const;
const RETRY_MS = 1_000;
const LEAST_PAUSE_MS = 50;
const STREAM_NOT_FOUND = 10_059;
const CONSUMER_NOT_FOUND = 10_014;
const NANOS = 1_000_000;
const MOST_SUBJECTS = 4_096;

/** Takes up the reader's place, or makes it at the stream's beginning. */
export async function openRecordFeed(
  source: FeedSource,
  options: RecordFeedOptions,
): Promise<RecordFeed> {
  const read = feedReader(source.prefix);
  const most = options.batch ?? BATCH;
  const lingerMs = options.lingerMs ?? LINGER_MS;
  const tell = options.onTrouble ?? (() => undefined);
  let consumer: Consumer | null = await takePlace(source, options.reader);
  let messages: ConsumerMessages | null = null;
  let queue: Received[] = [];
  let out: readonly Received[] = [];
  let firstAt = 0;
  let wake: () => void = () => undefined;
  let wanted = false;
  let closed = false;
  let following: Promise<void> | null = null;

  const isWanted = (): boolean => wanted && !closed;
  const take = (message: JsMsg): void => {
    try {
      // Read while it is still at hand: a thousand messages later it costs twice as much.
      queue.push({ message, entry: read(message) });
    } catch (error) {
      // Thrown from here it would end the reading of everything that comes over this connection.
      return tell(`a message cannot be taken apart (${String(error)})`);
    }
    if (queue.length === 1) firstAt = performance.now();
    if (queue.length === 1 || queue.length >= most) wake();
  };
  /** Reads for as long as somebody wants records, through the loss of the reader's place and of the stream. */
  const follow = async (): Promise<void> => {
    while (isWanted()) {
      try {
        consumer ??= await takePlace(source, options.reader);
        messages = await consumer.consume({
          ...PULL,
          abort_on_missing_resource: true,
          callback: take,
        });
        if (!isWanted()) messages.stop();
        tell(null);
        const ended = await messages.closed();
        // Its place is lost or out of reach: what taking it anew fails with says more than this.
        if (ended instanceof Error) {
          consumer = null;
          await pause(LEAST_PAUSE_MS);
        }
      } catch (error) {
        consumer = null;
        const named = toStreamError(error, source.where);
        tell(named instanceof Error ? named.message : String(named));
        await pause(RETRY_MS);
      } finally {
        messages = null;
      }
    }
  };
  const pause = async (ms: number): Promise<void> =>
    new Promise((resolve) => {
      setTimeout(resolve, ms).unref();
    });
  const begin = (): void => {
    if (closed) return;
    wanted = true;
    following ??= follow().finally(() => {
      following = null;
      // Somebody may have come back for records just as the loop ended.
      if (isWanted()) begin();
    });
  };
  const arrived = async (ms: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === null ? null : setTimeout(resolve, ms);
      wake = () => {
        if (timer !== null) clearTimeout(timer);
        resolve();
      };
    });
  const isFull = (): boolean => queue.length >= most || closed;
  /** Waits for a batch or the end; what is given back meanwhile is waited for again. */
  const filled = async (): Promise<void> => {
    do {
      begin();
      if (queue.length === 0 && !closed) await arrived(null);
      while (!isFull() && queue.length > 0) {
        const left = firstAt + lingerMs - performance.now();
        if (left <= 0) break;
        await arrived(left);
      }
    } while (queue.length === 0 && !closed);
  };
  const cut = (): readonly Received[] => {
    let bytes = 0;
    let count = 0;
    for (const { entry } of queue) {
      bytes += entry.data.length;
      if (count === most || (count > 0 && bytes > BATCH_BYTES)) break;
      count += 1;
    }
    const rest = queue.slice(count);
    const taken = queue.slice(0, count);
    queue = rest;
    firstAt = performance.now();
    return taken;
  };

  const close = async (): Promise<void> => {
    closed = true;
    wanted = false;
    wake();
    messages?.stop();
    await following;
  };

  return {
    next: async () => {
      await filled();
      if (closed) return null;
      const batch = cut();
      out = batch;
      return {
        entries: batch.map(({ entry }) => entry),
        ack: () => {
          out = [];
          quietly(() => {
            for (const { message } of batch) message.ack();
          });
        },
      };
    },
    giveBack: () => {
      wanted = false;
      messages?.stop();
      quietly(() => {
        for (const { message } of [...out, ...queue]) message.nak();
      });
      out = [];
      queue = [];
      // Whoever waits for records begins the reading anew.
      wake();
    },
    facts: async () => {
      try {
        const manager = await source.manager();
        const info = await manager.consumers.info(RECORD_STREAM, options.reader);
        return { pending: info.num_pending, unacknowledged: info.num_ack_pending };
      } catch {
        return null;
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function takePlace(source: FeedSource, reader: string): Promise<Consumer> {
  try {
    const manager = await source.manager();
    const found = await placeOf(manager, reader);
    if (found === null) await manager.consumers.add(RECORD_STREAM, placeConfig(reader));
    else checkPlace(found, reader, source.where);
    const client = jetstream(source.connection);
    return await client.consumers.get(RECORD_STREAM, reader);
  } catch (error) {
    if (isApiError(error, STREAM_NOT_FOUND)) throw missing(source.where);
    throw toStreamError(error, source.where);
  }
}

async function placeOf(manager: JetStreamManager, reader: string): Promise<ConsumerConfig | null> {
  try {
    return (await manager.consumers.info(RECORD_STREAM, reader)).config;
  } catch (error) {
    if (isApiError(error, CONSUMER_NOT_FOUND)) return null;
    throw error;
  }
}

function placeConfig(reader: string): Partial<ConsumerConfig> {
  return {
    durable_name: reader,
    description: "keeps records in a store",
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: ACK_WAIT_MS * NANOS,
    max_ack_pending: MOST_UNACKED,
    max_deliver: -1,
  };
}

/** A place that skips or forgets records must not be read from as if it did neither. */
function checkPlace(found: ConsumerConfig, reader: string, where: string): void {
  const filtered = found.filter_subject ?? found.filter_subjects;
  const fits =
    found.ack_policy === AckPolicy.Explicit &&
    found.deliver_policy === DeliverPolicy.All &&
    filtered === undefined &&
    (found.max_deliver ?? -1) === -1;
  if (fits) return;
  throw new StreamError(
    "consumer_differs",
    `The consumer ${reader} of the audit stream ${RECORD_STREAM} at ${where} is not one that hands out every record until it is acknowledged. Remove it there; the next start makes it anew and reads the stream from its beginning, and no record is kept twice.`,
  );
}

/** Takes apart messages of the stream of a fleet. */
export function feedReader(prefix: string): (message: JsMsg) => FeedEntry {
  const subjects = knownSubjects(prefix);
  return (message) => toEntry(message, subjects);
}

/** Few subjects carry all records: each is taken apart once. */
function knownSubjects(prefix: string): Pick<Subjects, "parse"> {
  const subjects = createSubjects(prefix);
  const known = new Map<string, ParsedSubject | null>();
  return {
    parse: (subject) => {
      const found = known.get(subject);
      if (found !== undefined) return found;
      if (known.size >= MOST_SUBJECTS) known.clear();
      const parsed = subjects.parse(subject);
      known.set(subject, parsed);
      return parsed;
    },
  };
}

function toEntry(message: JsMsg, subjects: Pick<Subjects, "parse">): FeedEntry {
  const { subject, data, info } = message;
  const headers = headersOf(message);
  const base = {
    subject,
    data,
    headers: () => allHeaders(headers),
    sequence: info.streamSequence,
    takenAt: Math.floor(info.timestampNanos / NANOS),
  };
  const header = (name: string): string | undefined => headers?.get(name) || undefined;
  const read = readRecord(subjects, { subject, data, header });
  if (!read.ok) return { ...base, kind: "unreadable", fault: read.fault };
  return Object.assign(base, read.record, { kind: "record" as const });
}

function allHeaders(given: MsgHdrs | undefined): Readonly<Record<string, readonly string[]>> {
  const headers = Object.create(null) as Record<string, readonly string[]>;
  for (const key of given?.keys() ?? []) headers[key] = given?.values(key) ?? [];
  return headers;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // The connection is closed: what was not acknowledged comes again.
  }
}

import type { Clock, Log } from "../ask/ports.ts";
import type { BusPort } from "../bus/port.ts";
import type { FeedBatch, FeedEntry } from "../bus/record-feed.ts";
import type { RecordStream } from "../bus/record-stream.ts";
import { type AppendResult, type AuditStore, type NewBatch, StoreError } from "../store/store.ts";
import { watchSinkGaps } from "./sink-gaps.ts";
import { watchSinkHealth } from "./sink-health.ts";
import { watchSinkLink } from "./sink-link.ts";
import { toBatch } from "./to-record.ts";

/** What a sink is opened with. */
export interface SinkOptions {
  readonly stream: RecordStream;
  /** The connection behind the stream. */
  readonly port: Pick<BusPort, "onEvent">;
  readonly store: AuditStore;
  readonly clock: Clock;
  readonly log: Log;
  /** After how long a missing record is read again, in milliseconds. @defaultValue 15,000 */
  readonly gapsAfterMs?: number;
}

/** How a sink fares. */
export interface SinkStatus {
  /** False while records cannot be read or kept, or when it is far behind. */
  readonly ready: boolean;
  /** Why it is not ready; null when it is. */
  readonly why: string | null;
  /** Since this sink was opened. */
  readonly kept: number;
  readonly duplicates: number;
  readonly deadLetters: number;
  /** Messages of the stream that were not handed out yet; null when unknown. */
  readonly pending: number | null;
  /** Age of the oldest record that is not kept, in milliseconds, 0 when all are; null when unknown. */
  readonly lagMs: number | null;
}

/** Keeps what comes through the audit stream in a store, for as long as it is open. */
export interface Sink extends AsyncDisposable {
  status(): SinkStatus;
  /** Lets the batch at hand be kept, then ends. The store stays open. */
  close(): Promise<void>;
}

const GAPS_AFTER_MS = 15_000;
const LEAST_RETRY_MS = 250;
const MOST_RETRY_MS = 5_000;

/**
 * Begins to keep records. A message is acknowledged only after the store has made it durable, so that every
 * record is kept at least once, and the store keeps each only once. Messages that are no records are set aside in
 * the same transaction; while the store takes nothing, nothing is acknowledged.
 *
 * @throws StreamError when the reader's place in the stream cannot be taken.
 */
export async function openSink(options: SinkOptions): Promise<Sink> {
  const { stream, store, clock, log } = options;
  const count = { kept: 0, duplicates: 0, deadLetters: 0 };
  let readTrouble: string | null = null;
  let storeTrouble: string | null = null;
  let lastTakenAt: number | null = null;
  let retryMs = LEAST_RETRY_MS;
  let stopRetry: () => void = () => undefined;
  let closed = false;

  const feed = await stream.read({
    reader: `store_${store.id}`,
    onTrouble: (why) => {
      if (why !== null && why !== readTrouble) log.warn({ why }, "records cannot be read for now");
      if (why === null && readTrouble !== null) log.info({}, "records are read again");
      readTrouble = why;
    },
  });
  const link = watchSinkLink(options.port, log);
  const health = watchSinkHealth({ stream, feed, clock, log, lastTakenAt: () => lastTakenAt });

  const keepEntries = async (entries: readonly FeedEntry[]): Promise<void> => {
    const result = await append(store, toBatch(entries), { clock, log });
    count.kept += result.kept;
    count.duplicates += result.duplicates;
    count.deadLetters += result.deadLetters;
  };
  const gaps = watchSinkGaps({
    stream,
    store,
    keep: keepEntries,
    log,
    afterMs: options.gapsAfterMs ?? GAPS_AFTER_MS,
  });

  const keep = async (batch: FeedBatch): Promise<boolean> => {
    try {
      await keepEntries(batch.entries);
      gaps.saw(batch.entries);
      lastTakenAt = Math.max(lastTakenAt ?? 0, ...batch.entries.map(({ takenAt }) => takenAt));
      if (storeTrouble !== null) log.info({ store: store.where }, "records are kept again");
      storeTrouble = null;
      retryMs = LEAST_RETRY_MS;
      health.moved();
      return true;
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (why !== storeTrouble) log.error({ store: store.where, err: error }, "records wait");
      storeTrouble = why;
      return false;
    }
  };
  const pause = async (): Promise<void> => {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, retryMs);
      stopRetry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    retryMs = Math.min(retryMs * 2, MOST_RETRY_MS);
  };
  const run = async (): Promise<void> => {
    for (let batch = await feed.next(); batch !== null; batch = await feed.next()) {
      if (await keep(batch)) batch.ack();
      else {
        feed.giveBack();
        if (!closed) await pause();
      }
    }
  };
  const running = run();
  const close = async (): Promise<void> => {
    closed = true;
    stopRetry();
    health.stop();
    gaps.stop();
    link[Symbol.dispose]();
    await feed.close();
    await running;
  };

  return {
    status: () => {
      const { pending, lagMs, behind } = health.read();
      const why = storeTrouble ?? link.why() ?? readTrouble ?? behind;
      return { ready: why === null, why, ...count, pending, lagMs };
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Appends; what the store refuses about single messages is set aside, so that no message holds up the others. */
async function append(
  store: AuditStore,
  batch: NewBatch,
  { clock, log }: Pick<SinkOptions, "clock" | "log">,
): Promise<AppendResult> {
  try {
    return await store.append(batch, clock.now());
  } catch (error) {
    if (error instanceof StoreError) throw error;
    log.warn({ err: error }, "a batch is kept one by one");
  }
  const total = { kept: 0, duplicates: 0, deadLetters: 0 };
  const add = (result: AppendResult): void => {
    total.kept += result.kept;
    total.duplicates += result.duplicates;
    total.deadLetters += result.deadLetters;
  };
  for (const record of batch.records) {
    try {
      add(await store.append({ records: [record], deadLetters: [] }, clock.now()));
    } catch (error) {
      if (error instanceof StoreError) throw error;
      log.error({ eventId: record.eventId, err: error }, "a record was set aside");
      const letter = { fault: "store_rejected", message: record.message };
      add(await store.append({ records: [], deadLetters: [letter] }, clock.now()));
    }
  }
  if (batch.deadLetters.length > 0) {
    add(await store.append({ records: [], deadLetters: batch.deadLetters }, clock.now()));
  }
  return total;
}

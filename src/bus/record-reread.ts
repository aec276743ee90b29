import { randomBytes } from "node:crypto";
import { AckPolicy, type ConsumerConfig, DeliverPolicy, jetstream } from "@nats-io/jetstream";
import { type FeedEntry, type FeedSource, feedReader } from "./record-feed.ts";
import { toStreamError } from "./stream-error.ts";
import { RECORD_STREAM } from "./stream-settings.ts";

const BATCH = 500;
const WAIT_MS = 3_000;
const NANOS = 1_000_000;
/** The server removes a reader that nobody uses: a sink has no right to. */
const IDLE_MS = 30_000;

/**
 * Reads what the stream took since a moment once more, beside the reader whose place the server keeps, and hands
 * it to `take` batch by batch. Ends at the stream's end.
 *
 * @throws StreamError when the stream cannot be read, and whatever `take` throws.
 */
export async function rereadRecords(
  source: FeedSource,
  since: number | null,
  take: (entries: readonly FeedEntry[]) => Promise<void>,
): Promise<void> {
  const read = feedReader(source.prefix);
  const consumer = await openReader(source, since);
  for (;;) {
    const entries: FeedEntry[] = [];
    let left = 0;
    for await (const message of await consumer.fetch({ max_messages: BATCH, expires: WAIT_MS })) {
      entries.push(read(message));
      left = message.info.pending;
      if (left === 0) break;
    }
    if (entries.length === 0) return;
    await take(entries);
    if (left === 0) return;
  }
}

async function openReader(
  source: FeedSource,
  since: number | null,
): Promise<Awaited<ReturnType<ReturnType<typeof jetstream>["consumers"]["get"]>>> {
  try {
    const manager = await source.manager();
    const name = `again_${randomBytes(8).toString("hex")}`;
    const config: Partial<ConsumerConfig> = {
      name,
      description: "reads records once more",
      ack_policy: AckPolicy.None,
      inactive_threshold: IDLE_MS * NANOS,
      num_replicas: 1,
      mem_storage: true,
      ...(since === null
        ? { deliver_policy: DeliverPolicy.All }
        : {
            deliver_policy: DeliverPolicy.StartTime,
            opt_start_time: new Date(since).toISOString(),
          }),
    };
    await manager.consumers.add(RECORD_STREAM, config);
    return await jetstream(source.connection).consumers.get(RECORD_STREAM, name);
  } catch (error) {
    throw toStreamError(error, source.where);
  }
}

import { expect, it } from "vitest";
import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import type { FeedBatch, RecordFeed } from "../../src/bus/record-feed.ts";
import { type AuditServer, startAuditServer } from "../support/audit-server.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../support/journal-parts.ts";
import { until } from "../support/until.ts";

/** Brings records of one session into the stream, and waits until it has them. */
async function ship(audit: AuditServer, folder: string, count: number): Promise<void> {
  await using journal = await openAt(folder);
  await using bus = await audit.asSession("session-1");
  journal.write((tx) => {
    for (let k = 0; k < count; k += 1) tx.record(aDraft({ requestId: "perm-1" }), Date.now());
  });
  const pump = openOutboxPump({ bus, outbox: journal, clock: REAL_CLOCK, log: SILENT_LOG });
  expect(await pump.drain(20_000)).toBe(true);
  pump.close();
}

function placesOf(batch: FeedBatch | null): readonly number[] {
  return (batch?.entries ?? []).map((entry) => (entry.kind === "record" ? entry.head.n : 0));
}

/** Acknowledges what comes until so many places were handed out, or the feed ends. */
async function placesUntil(
  count: number,
  feed: RecordFeed,
  first: FeedBatch | null,
): Promise<ReadonlySet<number>> {
  const places = new Set<number>();
  for (let batch = first; batch !== null; batch = await feed.next()) {
    for (const place of placesOf(batch)) places.add(place);
    batch.ack();
    if (places.size >= count) break;
  }
  return places;
}

async function holds(feed: RecordFeed, unacknowledged: number): Promise<void> {
  await until("what is handed out", async () => {
    return (await feed.facts())?.unacknowledged === unacknowledged;
  });
}

it("a reader that waits for records goes on waiting when all is given back, and gets what comes", async () => {
  await using audit = await startAuditServer();
  using folder = aFolder();
  await using keeper = await audit.asSink();
  await using feed = await keeper.records.read({ reader: "store_1" });
  const next = feed.next();
  await holds(feed, 0);
  feed.giveBack();
  await ship(audit, folder.path, 3);
  expect(placesOf(await next)).toContain(1);
}, 40_000);

it("records that are given back while their batch fills up are handed out again, each of them", async () => {
  await using audit = await startAuditServer();
  using folder = aFolder();
  await using keeper = await audit.asSink();
  await using feed = await keeper.records.read({ reader: "store_1", lingerMs: 3_000 });
  await ship(audit, folder.path, 4);
  const next = feed.next();
  await holds(feed, 4);
  feed.giveBack();
  expect(await placesUntil(4, feed, await next)).toEqual(new Set([1, 2, 3, 4]));
  await holds(feed, 0);
}, 40_000);

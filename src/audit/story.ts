import type { AuditReads, RecordFilter, StoredRecord } from "../store/store.ts";
import { orderStory, type StoryEntry, type StoryNode } from "./order-story.ts";
import { type ReadableRecord, readStored } from "./read-record.ts";

/** All that a store has about one ask, over all nodes, in the order of cause. */
export interface Story {
  readonly requestId: string;
  readonly entries: readonly StoryEntry[];
  readonly nodes: readonly StoryNode[];
  /** How the session that asked first ended it; null while its decision is not here. */
  readonly ending: ReadableRecord | null;
  /** Records of the sessions that took part which are missing between those that are here. */
  readonly missing: number;
}

/** Most ids that one ask is looked for under: its own, and one for each edge that adopted another. */
const MOST_IDS = 16;

/** Which asks of a tool call are looked for. */
export type Narrowing = Pick<RecordFilter, "sessionToken" | "since" | "until">;

/**
 * Finds the asks that an id names, in the order they came: the one with this request id, or this id on the wire,
 * else those of the tool call to which its host gave it. Empty when the store has none.
 */
export async function findAsks(
  reads: AuditReads,
  id: string,
  narrowing: Narrowing = {},
): Promise<readonly string[]> {
  const own = await reads.list({ ...narrowing, requestId: id }, 0, 1);
  return own.length > 0 ? [id] : reads.requests({ ...narrowing, toolCallId: id });
}

/** Tells the story of an ask by its request id, or the id it had on the wire; null when the store has none of it. */
export async function storyOf(reads: AuditReads, id: string): Promise<Story | null> {
  const records = await collect(reads, id);
  if (records.length === 0) return null;
  const { entries, nodes } = orderStory(records);
  const first = entries[0]?.record;
  const origin = nodes.find(({ hop }) => hop === 0)?.sessionToken;
  const ending = entries.findLast(
    ({ record }) => record.head.kind === "decision" && record.stored.sessionToken === origin,
  );
  return {
    requestId: first?.head.requestId ?? id,
    entries,
    nodes,
    ending: ending?.record ?? null,
    missing: await missingAmong(reads, records),
  };
}

/** Looks again under every id that a record names, since an edge may have adopted another. */
async function collect(reads: AuditReads, id: string): Promise<readonly ReadableRecord[]> {
  const ids = new Set([id]);
  let found: readonly StoredRecord[] = [];
  for (let known = 0; known < ids.size && ids.size <= MOST_IDS; ) {
    known = ids.size;
    found = await reads.story([...ids]);
    for (const stored of found) {
      if (stored.requestId !== null) ids.add(stored.requestId);
      if (stored.wireId !== null) ids.add(stored.wireId);
    }
  }
  return found.flatMap((stored) => readStored(stored) ?? []);
}

async function missingAmong(
  reads: AuditReads,
  records: readonly ReadableRecord[],
): Promise<number> {
  const spans = new Map<string, { first: number; last: number }>();
  for (const { stored } of records) {
    const span = spans.get(stored.sessionToken) ?? { first: stored.n, last: stored.n };
    span.first = Math.min(span.first, stored.n);
    span.last = Math.max(span.last, stored.n);
    spans.set(stored.sessionToken, span);
  }
  let missing = 0;
  for (const [sessionToken, { first, last }] of spans) {
    missing += last - first + 1 - (await reads.placesBetween(sessionToken, first, last));
  }
  return missing;
}

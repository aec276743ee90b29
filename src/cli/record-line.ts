import { describeEntry } from "../audit/describe-entry.ts";
import type { StoryEntry } from "../audit/order-story.ts";
import { readStored } from "../audit/read-record.ts";
import type { StoredRecord } from "../store/store.ts";
import type { RecordLine } from "./lines.ts";

/** A stored record as a line; one whose header cannot be read is told by what it was found by. */
export function recordLine(stored: StoredRecord): RecordLine {
  const read = readStored(stored);
  return {
    record: {
      place: stored.place,
      session: read?.head.session ?? stored.sessionToken,
      n: stored.n,
      eventId: stored.eventId,
      kind: read?.head.kind ?? stored.kind,
      event: stored.event,
      requestId: stored.requestId,
      time: stored.time,
      what: read === null ? "its header cannot be read" : describeEntry(read),
      body: read?.content ?? null,
    },
  };
}

/** A record of a story as a line. */
export function storyRecordLine({ record, step, hop, at, took }: StoryEntry): RecordLine {
  const line = recordLine(record.stored);
  return { record: { ...line.record, story: { step, hop, at, took } } };
}

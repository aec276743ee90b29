import type { FeedEntry } from "../bus/record-feed.ts";
import type { NewBatch, NewDeadLetter, NewRecord } from "../store/store.ts";

/** What came from the stream, ready for a store: records, and messages that are none. */
export function toBatch(entries: readonly FeedEntry[]): NewBatch {
  const records: NewRecord[] = [];
  const deadLetters: NewDeadLetter[] = [];
  for (const entry of entries) {
    if (entry.kind === "record") records.push(toRecord(entry));
    else deadLetters.push({ fault: entry.fault, message: entry });
  }
  return { records, deadLetters };
}

function toRecord(entry: Extract<FeedEntry, { kind: "record" }>): NewRecord {
  const { head, names } = entry;
  return {
    eventId: head.eventId,
    sessionToken: entry.sessionToken,
    n: head.n,
    kind: head.kind,
    event: names.event,
    requestId: head.requestId,
    wireId: names.wireId,
    toolCallId: names.toolCallId,
    time: head.time,
    header: entry.header,
    salt: entry.salt,
    body: entry.body,
    message: entry,
  };
}

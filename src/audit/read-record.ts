import type { RecordHeader } from "../ask/record.ts";
import { readRecordBody, readRecordHeader } from "../bus/record-bytes.ts";
import type { StoredRecord } from "../store/store.ts";

/** A stored record with its bytes read. */
export interface ReadableRecord {
  readonly stored: StoredRecord;
  readonly head: RecordHeader;
  /** Null where the body was erased, or is none any more. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** Reads a record's bytes; null when they are not those of a record, which verifying then names. */
export function readStored(stored: StoredRecord): ReadableRecord | null {
  const head = readRecordHeader(stored.header);
  if (head === null) return null;
  return { stored, head, content: stored.body === null ? null : readRecordBody(stored.body) };
}

/** A text of a body; null when it has none. */
export function textIn(record: Pick<ReadableRecord, "content">, key: string): string | null {
  const value = valueIn(record, key);
  return typeof value === "string" ? value : null;
}

/** A value of a body's own; undefined when it has none. */
export function valueIn({ content }: Pick<ReadableRecord, "content">, key: string): unknown {
  return content !== null && Object.hasOwn(content, key) ? content[key] : undefined;
}

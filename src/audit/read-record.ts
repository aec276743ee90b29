import type { RecordHeader } from "../ask/record.ts";
import { readRecordHeader } from "../bus/record-bytes.ts";
import type { StoredRecord } from "../store/store.ts";

/** A stored record with its bytes read. */
export interface ReadableRecord {
  readonly stored: StoredRecord;
  readonly head: RecordHeader;
  /** Null where the body was erased. */
  readonly content: Readonly<Record<string, unknown>> | null;
}

/** Reads a record's bytes; null when they are not those of a record, which verifying then names. */
export function readStored(stored: StoredRecord): ReadableRecord | null {
  const head = readRecordHeader(stored.header);
  if (head === null) return null;
  return { stored, head, content: contentOf(stored.body) };
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

function contentOf(body: Uint8Array | null): ReadableRecord["content"] {
  if (body === null) return null;
  try {
    const read: unknown = JSON.parse(Buffer.from(body).toString("utf8"));
    const isObject = typeof read === "object" && read !== null && !Array.isArray(read);
    return isObject ? (read as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}

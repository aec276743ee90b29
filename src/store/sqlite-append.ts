import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { toStoreError } from "./sqlite-failure.ts";
import {
  type AppendResult,
  type AuditStore,
  filedText,
  filedTime,
  type NewDeadLetter,
  type NewRecord,
} from "./store.ts";

/** What a record is set aside as when another one has its event id. */
const CONFLICT = "event_id_conflict";

/** Appends to an open file: one transaction a batch, durable when it returns. */
export function sqliteAppend(database: DatabaseSync, where: string): AuditStore["append"] {
  const insert = database.prepare(
    `INSERT INTO record (place, event_id, session, n, kind, event, request_id, wire_id, tool_call_id, time,
       header, salt, body, sequence, taken_at, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING`,
  );
  const same = database.prepare("SELECT header FROM record WHERE event_id = ?");
  const aside = database.prepare(
    `INSERT INTO dead_letter (place, digest, fault, subject, headers, data, sequence, taken_at, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING`,
  );
  const lastPlaces = database.prepare(
    `SELECT max(last_record, coalesce((SELECT max(place) FROM record), 0)) AS record,
       max(last_dead_letter, coalesce((SELECT max(place) FROM dead_letter), 0)) AS dead_letter
     FROM store`,
  );
  const mark = database.prepare("UPDATE store SET last_record = ?, last_dead_letter = ?");
  /** The newest places of the transaction at hand. Only a row that was written takes one, so that none is left out. */
  const last = { record: 0, deadLetter: 0 };

  const setAside = ({ fault, message }: NewDeadLetter, keptAt: number): number => {
    const headers = JSON.stringify(message.headers());
    const { data, sequence, takenAt } = message;
    const subject = filedText(message.subject);
    const digest = deadLetterDigest({ subject, headers, data });
    const place = last.deadLetter + 1;
    const done = aside.run(place, digest, fault, subject, headers, data, sequence, takenAt, keptAt);
    if (done.changes !== 0) last.deadLetter = place;
    return Number(done.changes);
  };
  const keep = (record: NewRecord, keptAt: number): "kept" | "duplicate" | "conflict" => {
    const { message } = record;
    const eventId = Buffer.from(record.eventId, "hex");
    const place = last.record + 1;
    const done = insert.run(
      place,
      eventId,
      record.sessionToken,
      record.n,
      record.kind,
      filedText(record.event),
      filedText(record.requestId),
      filedText(record.wireId),
      filedText(record.toolCallId),
      filedTime(record.time),
      record.header,
      record.salt,
      record.body,
      message.sequence,
      message.takenAt,
      keptAt,
    );
    if (done.changes !== 0) {
      last.record = place;
      return "kept";
    }
    const found = same.get(eventId)?.["header"];
    return found instanceof Uint8Array && Buffer.compare(found, record.header) === 0
      ? "duplicate"
      : "conflict";
  };
  const begin = (): void => {
    database.exec("BEGIN IMMEDIATE");
    const found = lastPlaces.get();
    last.record = Number(found?.["record"] ?? 0);
    last.deadLetter = Number(found?.["dead_letter"] ?? 0);
  };

  return async (batch, keptAt) => {
    const at = Math.round(keptAt);
    const count = { kept: 0, duplicates: 0, deadLetters: 0 };
    try {
      begin();
      for (const record of batch.records) {
        const became = keep(record, at);
        if (became === "kept") count.kept += 1;
        else if (became === "duplicate") count.duplicates += 1;
        else count.deadLetters += setAside({ fault: CONFLICT, message: record.message }, at);
      }
      for (const letter of batch.deadLetters) count.deadLetters += setAside(letter, at);
      if (count.kept + count.deadLetters > 0) mark.run(last.record, last.deadLetter);
      database.exec("COMMIT");
      return await Promise.resolve<AppendResult>(count);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw toStoreError(error, where);
    }
  };
}

/**
 * What a message that was set aside is known by: the same one set aside twice is one, since a stream hands out
 * again what it does not know to be kept.
 */
export function deadLetterDigest({
  subject,
  headers,
  data,
}: {
  readonly subject: string;
  /** JSON text of all headers. */
  readonly headers: string;
  readonly data: Uint8Array;
}): Uint8Array {
  const text = JSON.stringify([subject, headers]);
  return createHash("sha256").update(text).update("\0").update(data).digest();
}

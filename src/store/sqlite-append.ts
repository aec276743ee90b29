import { createHash } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { toStoreError } from "./sqlite-failure.ts";
import type { AppendResult, AuditStore, KeptMessage, NewDeadLetter, NewRecord } from "./store.ts";

/** What a record is set aside as when another one has its event id. */
const CONFLICT = "event_id_conflict";

/** Appends to an open file: one transaction a batch, durable when it returns. */
export function sqliteAppend(database: DatabaseSync, where: string): AuditStore["append"] {
  const insert = database.prepare(
    `INSERT INTO record (event_id, session, n, kind, event, request_id, wire_id, tool_call_id, time,
       header, salt, body, sequence, taken_at, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING`,
  );
  const same = database.prepare("SELECT header FROM record WHERE event_id = ?");
  const aside = database.prepare(
    `INSERT INTO dead_letter (digest, fault, subject, headers, data, sequence, taken_at, kept_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING`,
  );

  const setAside = ({ fault, message }: NewDeadLetter, keptAt: number): number => {
    const headers = JSON.stringify(message.headers());
    const { subject, data, sequence, takenAt } = message;
    const digest = digestOf(message, headers);
    const done = aside.run(digest, fault, subject, headers, data, sequence, takenAt, keptAt);
    return Number(done.changes);
  };
  const keep = (record: NewRecord, keptAt: number): "kept" | "duplicate" | "conflict" => {
    const { message } = record;
    const eventId = Buffer.from(record.eventId, "hex");
    const done = insert.run(
      eventId,
      record.sessionToken,
      record.n,
      record.kind,
      record.event,
      record.requestId,
      record.wireId,
      record.toolCallId,
      Math.round(record.time),
      record.header,
      record.salt,
      record.body,
      message.sequence,
      message.takenAt,
      keptAt,
    );
    if (done.changes !== 0) return "kept";
    const found = same.get(eventId)?.["header"];
    return found instanceof Uint8Array && Buffer.compare(found, record.header) === 0
      ? "duplicate"
      : "conflict";
  };

  return async (batch, keptAt) => {
    const at = Math.round(keptAt);
    const count = { kept: 0, duplicates: 0, deadLetters: 0 };
    try {
      database.exec("BEGIN IMMEDIATE");
      for (const record of batch.records) {
        const became = keep(record, at);
        if (became === "kept") count.kept += 1;
        else if (became === "duplicate") count.duplicates += 1;
        else count.deadLetters += setAside({ fault: CONFLICT, message: record.message }, at);
      }
      for (const letter of batch.deadLetters) count.deadLetters += setAside(letter, at);
      database.exec("COMMIT");
      return await Promise.resolve<AppendResult>(count);
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw toStoreError(error, where);
    }
  };
}

/** The same message set aside twice is one: a stream hands out again what it does not know to be kept. */
function digestOf({ subject, data }: KeptMessage, headers: string): Uint8Array {
  const text = JSON.stringify([subject, headers]);
  return createHash("sha256").update(text).update("\0").update(data).digest();
}

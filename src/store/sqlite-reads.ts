import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { deadLetterDigest } from "./sqlite-append.ts";
import { storeError, toStoreError } from "./sqlite-failure.ts";
import { marksRemoved } from "./sqlite-schema.ts";
import {
  type AuditReads,
  filedText,
  type KeptMessage,
  type RecordFilter,
  type RemovedRows,
  type StoredDeadLetter,
  type StoredRecord,
} from "./store.ts";

type Row = Readonly<Record<string, SQLOutputValue>>;

const COLUMNS = `place, event_id, session, n, kind, event, request_id, wire_id, tool_call_id, time, header, salt, body,
  taken_at, kept_at`;

/** The questions that an open file answers. */
export function sqliteReads(database: DatabaseSync, where: string): AuditReads {
  const prepared = new Map<string, StatementSync>();
  const all = (text: string, values: readonly SQLInputValue[] = []): Row[] => {
    try {
      const statement = prepared.get(text) ?? database.prepare(text);
      // A number too large for JavaScript, which only a changed file holds, must not hide all other rows.
      statement.setReadBigInts(true);
      prepared.set(text, statement);
      return statement.all(...values);
    } catch (error) {
      throw toStoreError(error, where);
    }
  };
  /** Reads a row; a table that was made anew behind the store's back may hold anything. */
  const reading =
    <T>(read: (row: Row) => T): ((row: Row) => T) =>
    (row) => {
      try {
        return read(row);
      } catch (error) {
        const what = `holds at place ${String(row["place"])} what it never wrote (${String(error)})`;
        throw storeError("store_corrupt", where, what, { cause: error });
      }
    };
  const asRecord = reading(toRecord);
  const listed = (
    filter: RecordFilter,
    { bound, order, limit }: { bound: [string, number]; order: string; limit: number },
  ): readonly StoredRecord[] => {
    const terms = [bound, ...termsOf(filter)];
    const text = `SELECT ${COLUMNS} FROM record WHERE ${terms.map(([term]) => term).join(" AND ")}
      ORDER BY place ${order} LIMIT ?`;
    return all(text, [...terms.flatMap(([, ...values]) => values), limit]).map(asRecord);
  };
  return {
    list: async (filter, afterPlace, limit) =>
      Promise.resolve(listed(filter, { bound: ["place > ?", afterPlace], order: "ASC", limit })),
    listBack: async (filter, beforePlace, limit) =>
      Promise.resolve(listed(filter, { bound: ["place < ?", beforePlace], order: "DESC", limit })),
    story: async (requestIds) => {
      const ids = JSON.stringify(requestIds.map(filedText));
      const text = `SELECT ${COLUMNS} FROM record WHERE place IN (
          SELECT place FROM record WHERE request_id IN (SELECT value FROM json_each(?1))
          UNION SELECT place FROM record WHERE wire_id IN (SELECT value FROM json_each(?1))
        ) ORDER BY session, n, place`;
      return Promise.resolve(all(text, [ids]).map(asRecord));
    },
    requests: async (filter) => {
      const terms = termsOf(filter);
      const found = all(
        `SELECT request_id, min(place) AS first FROM record
         WHERE ${[...terms.map(([term]) => term), "request_id IS NOT NULL"].join(" AND ")}
         GROUP BY request_id ORDER BY first`,
        terms.flatMap(([, ...values]) => values),
      );
      return Promise.resolve(found.map((row) => text(row, "request_id")));
    },
    sessions: async () =>
      Promise.resolve(
        all(
          `SELECT session, count(*) AS records, min(n) AS first, max(n) AS last,
             count(DISTINCT n) AS places
           FROM record GROUP BY session ORDER BY session`,
        ).map((row) => ({
          sessionToken: text(row, "session"),
          records: number(row, "records"),
          firstN: number(row, "first"),
          lastN: number(row, "last"),
          places: number(row, "places"),
        })),
      ),
    chain: async (sessionToken, fromN, limit) =>
      Promise.resolve(
        all(
          `SELECT ${COLUMNS} FROM record WHERE session = ? AND n >= ? ORDER BY n, place LIMIT ?`,
          [sessionToken, fromN, limit],
        ).map(asRecord),
      ),
    gaps: async (sessionToken) => {
      const which = sessionToken === undefined ? "" : "WHERE session = ?";
      const found = all(
        `SELECT session, before + 1 AS first, n - 1 AS last FROM (
           SELECT session, n, lag(n, 1, 0) OVER (PARTITION BY session ORDER BY n) AS before
           FROM record ${which}
         ) WHERE n > before + 1 ORDER BY session, n`,
        sessionToken === undefined ? [] : [sessionToken],
      );
      return Promise.resolve(
        found.map((row) => ({
          sessionToken: text(row, "session"),
          fromN: number(row, "first"),
          toN: number(row, "last"),
        })),
      );
    },
    placesBetween: async (sessionToken, fromN, toN) => {
      const [row = {}] = all(
        "SELECT count(DISTINCT n) AS places FROM record WHERE session = ? AND n BETWEEN ? AND ?",
        [sessionToken, fromN, toN],
      );
      return Promise.resolve(number(row, "places"));
    },
    removed: async () => {
      if (!marksRemoved(database)) return Promise.resolve([]);
      const found = all(
        `${holesIn("record", "records")} UNION ALL ${holesIn("dead_letter", "dead_letters")}
         ORDER BY origin DESC, first`,
      );
      return Promise.resolve(
        found.map((row) => ({
          from: text(row, "origin") === "records" ? ("records" as const) : "dead_letters",
          fromPlace: number(row, "first"),
          toPlace: number(row, "last"),
        })),
      );
    },
    deadLetters: async (afterPlace, limit) =>
      Promise.resolve(
        all("SELECT * FROM dead_letter WHERE place > ? ORDER BY place LIMIT ?", [
          afterPlace,
          limit,
        ]).map(reading(toDeadLetter)),
      ),
    counts: async () => {
      const [row = {}] = all(
        `SELECT (SELECT count(*) FROM record) AS records,
           (SELECT count(*) FROM dead_letter) AS dead`,
      );
      return Promise.resolve({ records: number(row, "records"), deadLetters: number(row, "dead") });
    },
  };
}

/** Selects the runs of places without a row, from the first place that must have one to the last. */
function holesIn(table: "record" | "dead_letter", name: RemovedRows["from"]): string {
  return `SELECT '${name}' AS origin, before + 1 AS first, place - 1 AS last FROM (
      SELECT place, lag(place, 1, (SELECT first_${table} - 1 FROM store)) OVER (ORDER BY place) AS before
      FROM (
        SELECT place FROM ${table} WHERE place >= (SELECT first_${table} FROM store)
        UNION ALL SELECT last_${table} + 1 FROM store
        WHERE last_${table} >= (SELECT coalesce(max(place), 0) FROM ${table})
      )
    ) WHERE place > before + 1`;
}

function termsOf(filter: RecordFilter): [string, ...SQLInputValue[]][] {
  const terms: [string, ...SQLInputValue[]][] = [];
  const add = (term: string, value: SQLInputValue | undefined, times = 1): void => {
    if (value === undefined) return;
    const filed = typeof value === "string" ? filedText(value) : value;
    terms.push([term, ...Array.from({ length: times }, () => filed)]);
  };
  add("session = ?", filter.sessionToken);
  add("(request_id = ? OR wire_id = ?)", filter.requestId, 2);
  add("tool_call_id = ?", filter.toolCallId);
  add("kind = ?", filter.kind);
  add("event = ?", filter.event);
  add("time >= ?", filter.since);
  add("time <= ?", filter.until);
  return terms;
}

function toRecord(row: Row): StoredRecord {
  return Object.freeze({
    place: number(row, "place"),
    eventId: Buffer.from(bytes(row, "event_id")).toString("hex"),
    sessionToken: text(row, "session"),
    n: number(row, "n"),
    kind: text(row, "kind"),
    event: textOrNull(row, "event"),
    requestId: textOrNull(row, "request_id"),
    wireId: textOrNull(row, "wire_id"),
    toolCallId: textOrNull(row, "tool_call_id"),
    time: number(row, "time"),
    header: bytes(row, "header"),
    salt: row["salt"] === null ? null : bytes(row, "salt"),
    body: row["body"] === null ? null : bytes(row, "body"),
    takenAt: number(row, "taken_at"),
    keptAt: number(row, "kept_at"),
  });
}

function toDeadLetter(row: Row): StoredDeadLetter {
  const subject = text(row, "subject");
  const headers = text(row, "headers");
  const data = bytes(row, "data");
  const digest = deadLetterDigest({ subject, headers, data });
  const whole = Buffer.compare(digest, bytes(row, "digest")) === 0;
  const read = whole ? (JSON.parse(headers) as ReturnType<KeptMessage["headers"]>) : {};
  return Object.freeze({
    place: number(row, "place"),
    fault: text(row, "fault"),
    whole,
    message: Object.freeze({
      subject,
      headers: () => read,
      data,
      sequence: number(row, "sequence"),
      takenAt: number(row, "taken_at"),
    }),
    keptAt: number(row, "kept_at"),
  });
}

function text(row: Row, column: string): string {
  const value = row[column];
  if (typeof value !== "string") throw new TypeError(`Column ${column} holds no text.`);
  return value;
}

function textOrNull(row: Row, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

function number(row: Row, column: string): number {
  const value = row[column];
  if (typeof value !== "bigint") throw new TypeError(`Column ${column} holds no number.`);
  return Number(value);
}

function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} holds no bytes.`);
  return value;
}

import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from "node:sqlite";
import { storeError, toStoreError } from "./sqlite-failure.ts";
import type {
  AuditReads,
  KeptMessage,
  RecordFilter,
  StoredDeadLetter,
  StoredRecord,
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
      const ids = JSON.stringify(requestIds);
      const text = `SELECT ${COLUMNS} FROM record WHERE place IN (
          SELECT place FROM record WHERE request_id IN (SELECT value FROM json_each(?1))
          UNION SELECT place FROM record WHERE wire_id IN (SELECT value FROM json_each(?1))
        ) ORDER BY session, n, place`;
      return Promise.resolve(all(text, [ids]).map(asRecord));
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

function termsOf(filter: RecordFilter): [string, ...SQLInputValue[]][] {
  const terms: [string, ...SQLInputValue[]][] = [];
  const add = (term: string, value: SQLInputValue | undefined, times = 1): void => {
    if (value !== undefined) terms.push([term, ...Array.from({ length: times }, () => value)]);
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
  const headers = JSON.parse(text(row, "headers")) as ReturnType<KeptMessage["headers"]>;
  return Object.freeze({
    place: number(row, "place"),
    fault: text(row, "fault"),
    message: Object.freeze({
      subject: text(row, "subject"),
      headers: () => headers,
      data: bytes(row, "data"),
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
  if (typeof value !== "number") throw new TypeError(`Column ${column} holds no number.`);
  return value;
}

function bytes(row: Row, column: string): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new TypeError(`Column ${column} holds no bytes.`);
  return value;
}

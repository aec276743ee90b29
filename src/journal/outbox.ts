import type { Chain } from "./chain.ts";
import type { OutboxReads, OutboxRow, OutboxWrites } from "./journal.ts";
import {
  bytesAt,
  numberAt,
  numberOrNullAt,
  type Row,
  type Sql,
  textOrNullAt,
  wholeMs,
} from "./statements.ts";

/**
 * Records on their way to the stream. Acknowledgements are marks beside them, each up to a place: however many
 * records one covers, it costs one small row.
 */
export function outboxOn(
  sql: Sql,
  chain: Chain,
): { readonly reads: OutboxReads; readonly writes: OutboxWrites } {
  const columns = `n, header, salt, body, parked,
    (SELECT at FROM acked WHERE upto >= n ORDER BY upto LIMIT 1) AS acked_at`;
  const from = sql.prepare(`SELECT ${columns} FROM outbox WHERE n >= ? ORDER BY n LIMIT ?`);
  /** For those that nothing acknowledged yet: most of what is ever read. */
  const unacked = sql.prepare(
    "SELECT n, header, salt, body, parked, NULL AS acked_at FROM outbox WHERE n >= ? ORDER BY n LIMIT ?",
  );
  const aside = sql.prepare(
    `SELECT ${columns} FROM outbox WHERE parked IS NOT NULL ORDER BY n LIMIT ?`,
  );
  const ack = sql.prepare("INSERT INTO acked (upto, at) VALUES (?, ?)");
  const renew = sql.prepare("UPDATE acked SET at = ? WHERE upto <= ?");
  const park = sql.prepare("UPDATE outbox SET parked = ? WHERE n = ?");
  const oldest = sql.prepare(
    `SELECT max(upto) AS n FROM acked
     WHERE upto < coalesce((SELECT min(upto) FROM acked WHERE at >= ?), 9007199254740991)`,
  );
  const size = "length(header) + length(salt) + length(body)";
  const measure = sql.prepare(
    `SELECT coalesce(sum(${size}), 0) AS bytes FROM outbox WHERE n <= ? AND parked IS NULL`,
  );
  const measureParked = sql.prepare(
    `SELECT ${size} AS bytes FROM outbox WHERE n = ? AND parked IS NOT NULL`,
  );
  const trim = sql.prepare("DELETE FROM outbox WHERE n <= ? AND parked IS NULL");
  const forget = sql.prepare(
    "DELETE FROM acked WHERE upto < (SELECT coalesce(min(n), ?1) FROM outbox WHERE parked IS NULL)",
  );
  const state = sql.prepare(
    `SELECT (SELECT min(n) FROM outbox WHERE parked IS NULL) AS first,
       (SELECT count(*) FROM outbox WHERE parked IS NOT NULL) AS parked`,
  );
  const drop = sql.prepare("DELETE FROM outbox WHERE n = ? AND parked IS NOT NULL");

  const shrink = (gone: Row, removed: number): number => {
    const tail = chain.tail();
    chain.move({ ...tail, rows: tail.rows - removed, bytes: tail.bytes - numberAt(gone, "bytes") });
    return removed;
  };

  return {
    reads: {
      outbox: (fromN, limit) => {
        const statement = fromN > chain.tail().ackedN ? unacked : from;
        return statement.all(fromN, limit).map(toRow);
      },
      parked: (limit) => aside.all(limit).map(toRow),
      outboxSize: () => {
        const { rows, bytes } = chain.tail();
        return { rows, bytes };
      },
      outboxState: () => {
        const { n, ackedN } = chain.tail();
        const row = state.get() ?? {};
        return {
          firstN: numberOrNullAt(row, "first") ?? n + 1,
          ackedN,
          parked: numberAt(row, "parked"),
        };
      },
      head: () => {
        const { n, hash } = chain.tail();
        return { n, hash };
      },
    },
    writes: {
      ackOutbox: (n, at) => {
        const tail = chain.tail();
        const upTo = Math.min(n, tail.n);
        if (upTo <= tail.ackedN) return;
        ack.run(upTo, wholeMs(at));
        chain.move({ ...tail, ackedN: upTo });
      },
      renewOutbox: (n, at) => {
        renew.run(wholeMs(at), n);
      },
      parkOutbox: (n, why) => {
        park.run(why, n);
      },
      dropParked: (n) => {
        const row = measureParked.get(n);
        if (row !== undefined) shrink(row, drop.run(n));
      },
      trimOutbox: (before, upTo = Number.MAX_SAFE_INTEGER) => {
        const covered = numberOrNullAt(oldest.get(wholeMs(before)) ?? {}, "n") ?? 0;
        const cut = Math.min(covered, upTo);
        const gone = measure.get(cut) ?? {};
        const removed = trim.run(cut);
        if (removed > 0) shrink(gone, removed);
        forget.run(Number.MAX_SAFE_INTEGER);
        return removed;
      },
    },
  };
}

function toRow(row: Row): OutboxRow {
  return Object.freeze({
    n: numberAt(row, "n"),
    header: bytesAt(row, "header"),
    salt: bytesAt(row, "salt"),
    body: bytesAt(row, "body"),
    ackedAt: numberOrNullAt(row, "acked_at"),
    parked: textOrNullAt(row, "parked"),
  });
}

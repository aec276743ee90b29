import type { ReceiptEffect } from "../ask/messages.ts";
import type { Clock } from "../ask/ports.ts";
import type {
  JournalReads,
  JournalWrites,
  NewServedAsk,
  ServedAskEnd,
  ServedAskRow,
} from "./journal.ts";
import { numberAt, type Row, type Sql, textAt, wholeMs, wordAt } from "./statements.ts";

const END_KINDS = ["decision", "refused", "withdrawn"] as const;

const EFFECTS: readonly ReceiptEffect[] = ["applied", "duplicate", "late", "none"];

type Reads = Pick<
  JournalReads,
  "servedAsk" | "openServedAsks" | "openServedAsksAfter" | "unreceiptedServedAsks" | "hasTombstone"
>;
type Writes = Pick<
  JournalWrites,
  | "insertServedAsk"
  | "insertEndedAsk"
  | "markAccepted"
  | "countPresented"
  | "endServedAsk"
  | "setReceipt"
  | "insertTombstone"
>;

/** Asks this session serves, and the cancels that came before their asks. */
export function servedAsks(
  sql: Sql,
  clock: Clock,
): { readonly reads: Reads; readonly writes: Writes } {
  const one = sql.prepare("SELECT * FROM served_ask WHERE request_id = ?");
  const open = sql.prepare("SELECT * FROM served_ask WHERE end_kind IS NULL ORDER BY place");
  const openAfter = sql.prepare(
    "SELECT * FROM served_ask WHERE end_kind IS NULL AND place > ? ORDER BY place LIMIT ?",
  );
  const unreceipted = sql.prepare(
    `SELECT * FROM served_ask WHERE end_kind IS NOT NULL AND receipt IS NULL
     ORDER BY ended_at, place`,
  );
  const insert = sql.prepare(
    `INSERT INTO served_ask (request_id, child_token, ask_digest, ask, received_at, deadline_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const insertEnded = sql.prepare(
    `INSERT INTO served_ask (request_id, child_token, ask_digest, ask, received_at, deadline_at,
       end_kind, answer, ended_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_id) DO NOTHING`,
  );
  const accept = sql.prepare("UPDATE served_ask SET accepted = 1 WHERE request_id = ?");
  const present = sql.prepare(
    "UPDATE served_ask SET presented = presented + 1 WHERE request_id = ?",
  );
  const end = sql.prepare(
    `UPDATE served_ask SET end_kind = ?, answer = ?, ended_at = ?
     WHERE request_id = ? AND end_kind IS NULL`,
  );
  const receipt = sql.prepare(
    `UPDATE served_ask SET receipt = ?, receipt_at = ?
     WHERE request_id = ? AND receipt IS NULL AND end_kind IS NOT NULL AND answer = ?`,
  );
  const tombstone = sql.prepare(
    "SELECT 1 AS found FROM tombstone WHERE request_id = ? AND child_token = ?",
  );
  const bury = sql.prepare(
    `INSERT INTO tombstone VALUES (?, ?, ?)
     ON CONFLICT (request_id, child_token) DO UPDATE SET at = max(at, excluded.at)`,
  );

  return {
    reads: {
      servedAsk: (requestId) => {
        const row = one.get(requestId);
        return row === undefined ? null : servedAskOf(row);
      },
      openServedAsks: () => open.all().map(servedAskOf),
      openServedAsksAfter: (place, limit) =>
        openAfter
          .all(place, limit)
          .map((row) => Object.freeze({ ...servedAskOf(row), place: numberAt(row, "place") })),
      unreceiptedServedAsks: () => unreceipted.all().map(servedAskOf),
      hasTombstone: (requestId, childToken) => tombstone.get(requestId, childToken) !== undefined,
    },
    writes: {
      insertServedAsk: (ask) => {
        insert.run(...arrivalOf(ask));
      },
      insertEndedAsk: (ask, how) =>
        insertEnded.run(...arrivalOf(ask), how.kind, how.answer, wholeMs(how.endedAt)) > 0,
      markAccepted: (requestId) => {
        accept.run(requestId);
      },
      countPresented: (requestId) => {
        const row = one.get(requestId);
        present.run(requestId);
        return row === undefined ? 0 : numberAt(row, "presented");
      },
      endServedAsk: (requestId, how) =>
        end.run(how.kind, how.answer, wholeMs(how.endedAt), requestId) > 0,
      setReceipt: (requestId, answer, effect) =>
        receipt.run(effect, wholeMs(clock.now()), requestId, answer) > 0,
      insertTombstone: (requestId, childToken, at) => {
        bury.run(requestId, childToken, wholeMs(at));
      },
    },
  };
}

/** Values of the columns an ask arrives with. */
function arrivalOf(ask: NewServedAsk): readonly (string | number)[] {
  const { requestId, childToken, askDigest, receivedAt, deadlineAt } = ask;
  return [requestId, childToken, askDigest, ask.ask, wholeMs(receivedAt), wholeMs(deadlineAt)];
}

function servedAskOf(row: Row): ServedAskRow {
  return Object.freeze({
    requestId: textAt(row, "request_id"),
    childToken: textAt(row, "child_token"),
    askDigest: textAt(row, "ask_digest"),
    ask: textAt(row, "ask"),
    receivedAt: numberAt(row, "received_at"),
    deadlineAt: numberAt(row, "deadline_at"),
    presented: numberAt(row, "presented"),
    accepted: numberAt(row, "accepted") === 1,
    end: servedAskEndOf(row),
    receipt: row["receipt"] === null ? null : wordAt(row, "receipt", EFFECTS),
  });
}

function servedAskEndOf(row: Row): ServedAskEnd | null {
  if (row["end_kind"] === null) return null;
  return Object.freeze({
    kind: wordAt(row, "end_kind", END_KINDS),
    answer: textAt(row, "answer"),
    endedAt: numberAt(row, "ended_at"),
  });
}

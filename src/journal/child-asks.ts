import type { CancelReason } from "../ask/messages.ts";
import type {
  ChildAskEnd,
  ChildAskRow,
  JournalReads,
  JournalWrites,
  NewChildAsk,
  QueuedCancel,
} from "./journal.ts";
import {
  bytesAt,
  numberAt,
  type Row,
  type Sql,
  textAt,
  textOrNullAt,
  wholeMs,
  wordAt,
} from "./statements.ts";

const OUTCOMES = ["allowed", "denied", "lost"] as const;

const CANCEL_REASONS: readonly CancelReason[] = [
  "aborted",
  "timed_out",
  "child_restarted",
  "failover",
];

type Reads = Pick<
  JournalReads,
  "childAsk" | "orphans" | "passedBody" | "outlivedPassedAsks" | "ownerLives" | "queuedCancels"
>;
type Writes = Pick<
  JournalWrites,
  "insertChildAsk" | "passOnAsk" | "moveChildAsk" | "endChildAsk" | "queueCancel" | "dropCancel"
>;

/** Asks this session has put to parents, and the cancels that are still to be answered. */
export function childAsks(
  sql: Sql,
  self: { readonly owner: string; readonly lives: (owner: string) => boolean },
): { readonly reads: Reads; readonly writes: Writes } {
  const one = sql.prepare("SELECT * FROM child_ask WHERE request_id = ?");
  const open = sql.prepare(
    `SELECT * FROM child_ask WHERE outcome IS NULL AND passed_on IS NULL
     ORDER BY created_at, request_id`,
  );
  const body = sql.prepare(
    "SELECT passed_on FROM child_ask WHERE request_id = ? AND outcome IS NULL",
  );
  const outlived = sql.prepare(
    `SELECT child_ask.* FROM child_ask LEFT JOIN served_ask USING (request_id)
     WHERE outcome IS NULL AND passed_on IS NOT NULL
       AND (served_ask.request_id IS NULL OR end_kind IS NOT NULL)`,
  );
  const insert = sql.prepare(
    `INSERT INTO child_ask (request_id, parent, ask_digest, created_at, expires_at, owner)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const passOn = sql.prepare(
    `INSERT INTO child_ask (request_id, parent, ask_digest, created_at, expires_at, owner, passed_on)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (request_id) DO UPDATE SET parent = excluded.parent,
       ask_digest = excluded.ask_digest, created_at = excluded.created_at,
       expires_at = excluded.expires_at, owner = excluded.owner, passed_on = excluded.passed_on
     WHERE outcome IS NULL AND passed_on IS NOT NULL`,
  );
  const move = sql.prepare(
    "UPDATE child_ask SET parent = ?, ask_digest = ? WHERE request_id = ? AND outcome IS NULL",
  );
  const end = sql.prepare(
    `UPDATE child_ask SET outcome = ?, decision_digest = ?, lost = ?, ended_at = ?,
       passed_on = iif(passed_on IS NULL, NULL, x'')
     WHERE request_id = ? AND outcome IS NULL`,
  );
  const cancels = sql.prepare("SELECT * FROM cancel ORDER BY queued_at, request_id, parent");
  const queue = sql.prepare(
    "INSERT INTO cancel VALUES (?, ?, ?, ?) ON CONFLICT (request_id, parent) DO NOTHING",
  );
  const drop = sql.prepare("DELETE FROM cancel WHERE request_id = ? AND parent = ?");

  const deadOwners = (asks: readonly ChildAskRow[]): ReadonlySet<string> => {
    const owners = new Set(asks.map((ask) => ask.owner));
    owners.delete(self.owner);
    return new Set([...owners].filter((owner) => !self.lives(owner)));
  };

  return {
    reads: {
      childAsk: (requestId) => {
        const row = one.get(requestId);
        return row === undefined ? null : childAskOf(row);
      },
      orphans: () => {
        const dead = deadOwners(open.all().map(childAskOf));
        if (dead.size === 0) return [];
        // Read again: a process may have ended its asks and left between the first look and its lock's.
        return open
          .all()
          .map(childAskOf)
          .filter((ask) => dead.has(ask.owner));
      },
      passedBody: (requestId) => {
        const row = body.get(requestId);
        return row === undefined || row["passed_on"] === null ? null : bytesAt(row, "passed_on");
      },
      outlivedPassedAsks: () => outlived.all().map(childAskOf),
      ownerLives: (owner) => owner === self.owner || self.lives(owner),
      queuedCancels: () => cancels.all().map(cancelOf),
    },
    writes: {
      insertChildAsk: (ask) => {
        insert.run(...putOf(ask), self.owner);
      },
      passOnAsk: (ask) => passOn.run(...putOf(ask), self.owner, ask.body) > 0,
      moveChildAsk: (requestId, to) => move.run(to.parent, to.askDigest, requestId) > 0,
      endChildAsk: (requestId, how) =>
        end.run(how.outcome, how.decisionDigest, how.lost, wholeMs(how.endedAt), requestId) > 0,
      queueCancel: (cancel) => {
        queue.run(cancel.requestId, cancel.parent, cancel.why, wholeMs(cancel.queuedAt));
      },
      dropCancel: (requestId, parent) => {
        drop.run(requestId, parent);
      },
    },
  };
}

/** Values of the columns an ask is put with. */
function putOf(ask: NewChildAsk): readonly (string | number)[] {
  const { requestId, parent, askDigest, createdAt, expiresAt } = ask;
  return [requestId, parent, askDigest, wholeMs(createdAt), wholeMs(expiresAt)];
}

function childAskOf(row: Row): ChildAskRow {
  return Object.freeze({
    requestId: textAt(row, "request_id"),
    parent: textAt(row, "parent"),
    askDigest: textAt(row, "ask_digest"),
    createdAt: numberAt(row, "created_at"),
    expiresAt: numberAt(row, "expires_at"),
    owner: textAt(row, "owner"),
    passedOn: row["passed_on"] !== null,
    end: childAskEndOf(row),
  });
}

function childAskEndOf(row: Row): ChildAskEnd | null {
  if (row["outcome"] === null) return null;
  return Object.freeze({
    outcome: wordAt(row, "outcome", OUTCOMES),
    decisionDigest: textOrNullAt(row, "decision_digest"),
    lost: textOrNullAt(row, "lost"),
    endedAt: numberAt(row, "ended_at"),
  });
}

function cancelOf(row: Row): QueuedCancel {
  return Object.freeze({
    requestId: textAt(row, "request_id"),
    parent: textAt(row, "parent"),
    why: wordAt(row, "why", CANCEL_REASONS),
    queuedAt: numberAt(row, "queued_at"),
  });
}

import type { CancelReason } from "../ask/messages.ts";
import type {
  ChildAskEnd,
  ChildAskRow,
  JournalReads,
  JournalWrites,
  QueuedCancel,
} from "./journal.ts";
import {
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

type Reads = Pick<JournalReads, "childAsk" | "orphans" | "ownerLives" | "queuedCancels">;
type Writes = Pick<
  JournalWrites,
  "insertChildAsk" | "moveChildAsk" | "endChildAsk" | "queueCancel" | "dropCancel"
>;

/** Asks this session has put to parents, and the cancels that are still to be answered. */
export function childAsks(
  sql: Sql,
  self: { readonly owner: string; readonly lives: (owner: string) => boolean },
): { readonly reads: Reads; readonly writes: Writes } {
  const one = sql.prepare("SELECT * FROM child_ask WHERE request_id = ?");
  const open = sql.prepare(
    "SELECT * FROM child_ask WHERE outcome IS NULL ORDER BY created_at, request_id",
  );
  const insert = sql.prepare(
    `INSERT INTO child_ask (request_id, parent, ask_digest, created_at, expires_at, owner)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const move = sql.prepare(
    "UPDATE child_ask SET parent = ? WHERE request_id = ? AND outcome IS NULL",
  );
  const end = sql.prepare(
    `UPDATE child_ask SET outcome = ?, decision_digest = ?, lost = ?, ended_at = ?
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
      ownerLives: (owner) => owner === self.owner || self.lives(owner),
      queuedCancels: () => cancels.all().map(cancelOf),
    },
    writes: {
      insertChildAsk: (ask) => {
        insert.run(
          ask.requestId,
          ask.parent,
          ask.askDigest,
          wholeMs(ask.createdAt),
          wholeMs(ask.expiresAt),
          self.owner,
        );
      },
      moveChildAsk: (requestId, parent) => {
        move.run(parent, requestId);
      },
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

function childAskOf(row: Row): ChildAskRow {
  return Object.freeze({
    requestId: textAt(row, "request_id"),
    parent: textAt(row, "parent"),
    askDigest: textAt(row, "ask_digest"),
    createdAt: numberAt(row, "created_at"),
    expiresAt: numberAt(row, "expires_at"),
    owner: textAt(row, "owner"),
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

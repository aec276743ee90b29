import { randomBytes } from "node:crypto";
import type { Incarnation } from "../ask/messages.ts";
import type { OwnerLock, OwnerLocks } from "./owner-lock.ts";
import { claimSession, migrate } from "./schema.ts";
import { numberAt, type Sql } from "./statements.ts";

/** This process's place in the life of its session. */
export interface Standing {
  readonly incarnation: Incarnation;
  readonly life: number;
  readonly lock: OwnerLock;
}

/** Brings the file up to date, counts this process in and takes its lock; all of it or nothing. */
export function enterSession(sql: Sql, session: string, locks: OwnerLocks): Standing {
  const taken: OwnerLock[] = [];
  try {
    return inTransaction(sql, () => {
      migrate(sql);
      claimSession(sql, session);
      locks.sweep();
      sql
        .prepare("UPDATE session SET epoch = epoch + 1, life = life + 1 - life_open, life_open = 1")
        .run();
      const row = sql.prepare("SELECT epoch, life FROM session").get() ?? {};
      const incarnation = `${numberAt(row, "epoch")}.${randomBytes(8).toString("hex")}`;
      const lock = locks.take(incarnation);
      taken.push(lock);
      return { incarnation, life: numberAt(row, "life"), lock };
    });
  } catch (error) {
    for (const lock of taken) lock.release();
    throw error;
  }
}

/**
 * Gives up this process's lock and ends the session life if no other process lives. One transaction:
 * of two processes that end at once, the second sees that the first is gone.
 */
export function endLife(sql: Sql, lock: OwnerLock, locks: OwnerLocks): void {
  inTransaction(sql, () => {
    lock.release();
    if (locks.living().length === 0) sql.prepare("UPDATE session SET life_open = 0").run();
  });
}

function inTransaction<T>(sql: Sql, work: () => T): T {
  sql.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    sql.exec("COMMIT");
    return value;
  } catch (error) {
    if (sql.inTransaction()) sql.exec("ROLLBACK");
    throw error;
  }
}

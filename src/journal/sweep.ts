import type { JournalWrites } from "./journal.ts";
import { type Sql, wholeMs } from "./statements.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Pages given back to the disk by one sweep; the rest waits for the next. */
const FREED_PAGES = 1000;

/**
 * What leaves the journal, and when. Ended asks a day after nothing can repeat them any more; open
 * ones never: whoever ends them does so. A cancel two days after it was queued, when the longest ask
 * and its row at the parent are gone. Grants of earlier lives at once; whoever keeps those of this life ends them.
 */
export function sweepOn(sql: Sql, life: number): Pick<JournalWrites, "sweep"> {
  const dayOld = [
    sql.prepare("DELETE FROM child_ask WHERE outcome IS NOT NULL AND expires_at <= ?"),
    sql.prepare(
      `DELETE FROM served_ask WHERE end_kind IS NOT NULL
       AND ended_at <= ?1 AND max(deadline_at, coalesce(receipt_at, 0)) <= ?1`,
    ),
    sql.prepare("DELETE FROM tombstone WHERE at <= ?"),
  ];
  const cancels = sql.prepare("DELETE FROM cancel WHERE queued_at <= ?");
  const grants = sql.prepare("DELETE FROM session_grant WHERE life < ?");
  return {
    sweep: (now) => {
      const time = wholeMs(now);
      let removed = cancels.run(time - 2 * DAY_MS) + grants.run(life);
      for (const statement of dayOld) removed += statement.run(time - DAY_MS);
      sql.exec(`PRAGMA incremental_vacuum(${FREED_PAGES})`);
      return removed;
    },
  };
}

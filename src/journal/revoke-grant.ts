import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Grant } from "../ask/grant.ts";
import type { Clock } from "../ask/ports.ts";
import type { RecordDraft } from "../ask/record.ts";
import { chainOn } from "./chain.ts";
import { goneError, toJournalError } from "./failure.ts";
import { sessionGrants } from "./grants.ts";
import { recordsOn } from "./record-writer.ts";
import { migrate } from "./schema.ts";
import { identityOf, sessionFiles } from "./session-files.ts";
import { setUp } from "./set-up.ts";
import { numberAt, type Sql, sqlOn, textAt } from "./statements.ts";
import { transactionsOn } from "./transactions.ts";

/** How long a change waits for the session's own processes, in milliseconds. */
const BUSY_MS = 5000;

/** What a change of grants is made with. */
export interface RevokeRequest {
  /** The data folder. */
  readonly folder: string;
  readonly session: string;
  readonly grantId: string;
  /** Makes the record of it, which becomes durable with the change. */
  readonly draft: (grant: Grant) => RecordDraft;
  readonly clock: Clock;
}

/**
 * Revokes a grant of a session beside whoever has its journal open, in one transaction with the record of it. No
 * process is counted in and no life begins or ends; the record stands in the session's chain under an incarnation
 * of its own. The grant as it was, or null when none of this id stands.
 *
 * @throws {@link JournalError} when the file cannot be used.
 */
export async function revokeGrant(request: RevokeRequest): Promise<Grant | null> {
  const { journal } = sessionFiles(request.folder, request.session);
  if (!existsSync(journal)) return null;
  try {
    const database = new DatabaseSync(journal, { timeout: 0 });
    try {
      const sql = sqlOn(database, journal);
      await setUp(sql, { busyMs: BUSY_MS, synchronous: "FULL" });
      sql.exec("BEGIN IMMEDIATE");
      migrate(sql);
      sql.exec("COMMIT");
      return revokeIn(sql, request);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toJournalError(error, journal);
  }
}

function revokeIn(sql: Sql, { grantId, draft, clock }: RevokeRequest): Grant | null {
  const identity = identityOf(sql.file);
  const chain = chainOn(sql);
  const transactions = transactionsOn<Sql>({
    sql,
    chain,
    writes: sql,
    clock,
    assertInPlace: () => {
      if (identity === null || identityOf(sql.file) !== identity) throw goneError(sql.file);
    },
    onSlowCommit: () => undefined,
  });
  try {
    return transactions.write(() => {
      const row = sql.prepare("SELECT name, life, life_open, epoch FROM session").get();
      if (row === undefined || numberAt(row, "life_open") === 0) return null;
      const { reads, writes } = sessionGrants(sql, numberAt(row, "life"));
      const grant = reads.grant(grantId);
      if (grant === null || grant.expiresAt <= clock.now()) return null;
      writes.revokeGrant(grantId);
      sql.prepare("UPDATE session SET epoch = epoch + 1").run();
      const incarnation = `${numberAt(row, "epoch") + 1}.${randomBytes(8).toString("hex")}`;
      const records = recordsOn(sql, chain, { session: textAt(row, "name"), incarnation });
      records.record(draft(grant), clock.now());
      return grant;
    });
  } finally {
    transactions.close();
  }
}

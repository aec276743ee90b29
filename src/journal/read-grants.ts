import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Grant } from "../ask/grant.ts";
import { toJournalError } from "./failure.ts";
import { sessionGrants } from "./grants.ts";
import { checkKind } from "./schema.ts";
import { sessionFiles } from "./session-files.ts";
import { numberAt, sqlOn } from "./statements.ts";

/** How long a read waits for another process, in milliseconds. */
const BUSY_MS = 2000;

/**
 * Reads the grants in force of a session beside whoever writes its journal; nothing is changed and no process is
 * counted in. Empty when the session has no journal, or its life has ended.
 *
 * @throws {@link JournalError} when the file cannot be read.
 */
export function readGrants(folder: string, session: string, now: number): readonly Grant[] {
  const { journal } = sessionFiles(folder, session);
  if (!existsSync(journal)) return [];
  try {
    const database = new DatabaseSync(journal, { readOnly: true, timeout: BUSY_MS });
    try {
      const sql = sqlOn(database, journal);
      checkKind(sql);
      const row = sql.prepare("SELECT life, life_open FROM session").get();
      if (row === undefined || numberAt(row, "life_open") === 0) return [];
      return sessionGrants(sql, numberAt(row, "life")).reads.grants(now);
    } finally {
      database.close();
    }
  } catch (error) {
    throw toJournalError(error, journal);
  }
}

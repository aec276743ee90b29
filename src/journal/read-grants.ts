import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { type Grant, STANDING_SCOPES, type StandingScope } from "../ask/grant.ts";
import { toJournalError } from "./failure.ts";
import { sessionGrants } from "./grants.ts";
import { checkKind, SCOPED_GRANTS_VERSION } from "./schema.ts";
import { findJournals, sessionFiles } from "./session-files.ts";
import { numberAt, sqlOn, textAt } from "./statements.ts";

/** How long a read waits for another process, in milliseconds. */
const BUSY_MS = 2000;

/** The grants in force of one session. */
export interface SessionGrants {
  readonly session: string;
  /** Those of both scopes, in the order they were given. */
  readonly grants: readonly Grant[];
}

/**
 * Reads the grants in force of a session beside whoever writes its journal; nothing is changed and no process is
 * counted in. Empty when the session has no journal, or its life has ended.
 *
 * @throws {@link JournalError} when the file cannot be read.
 */
export function readGrants(
  folder: string,
  session: string,
  of: { readonly now: number; readonly scope: StandingScope },
): readonly Grant[] {
  const { journal } = sessionFiles(folder, session);
  const { grants } = readFile(journal, of.now);
  return grants.filter(({ scope }) => scope === of.scope);
}

/**
 * Reads the grants in force of every session of a data folder, see {@link readGrants}.
 *
 * @throws {@link JournalError} when a file cannot be read.
 */
export function readAllGrants(folder: string, now: number): readonly SessionGrants[] {
  return findJournals(folder).map(({ journal }) => readFile(journal, now));
}

function readFile(journal: string, now: number): SessionGrants {
  const nothing = { session: "", grants: [] };
  if (!existsSync(journal)) return nothing;
  try {
    const database = new DatabaseSync(journal, { readOnly: true, timeout: BUSY_MS });
    try {
      const sql = sqlOn(database, journal);
      if (checkKind(sql) < SCOPED_GRANTS_VERSION) return nothing;
      const row = sql.prepare("SELECT name, life, life_open FROM session").get();
      if (row === undefined || numberAt(row, "life_open") === 0) return nothing;
      const { reads } = sessionGrants(sql, numberAt(row, "life"));
      const grants = STANDING_SCOPES.flatMap((scope) => reads.grants(now, scope));
      return {
        session: textAt(row, "name"),
        grants: grants.toSorted((one, other) => one.grantedAt - other.grantedAt),
      };
    } finally {
      database.close();
    }
  } catch (error) {
    throw toJournalError(error, journal);
  }
}

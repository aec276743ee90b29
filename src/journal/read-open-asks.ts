import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { RequestId } from "../ask/request-id.ts";
import { toJournalError } from "./failure.ts";
import { ownerLocks } from "./owner-lock.ts";
import { checkKind, SCHEMA_VERSION } from "./schema.ts";
import { type SessionFiles, sessionFiles } from "./session-files.ts";
import { numberAt, type Row, sqlOn, textAt, textOrNullAt } from "./statements.ts";

/** How long a read waits for another process, in milliseconds. */
const BUSY_MS = 2000;

/** An ask that a session has put to another one and that has no end. */
export interface OpenAsked {
  readonly requestId: RequestId;
  readonly parent: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Whether it was put for another session. */
  readonly passedOn: boolean;
  /** Whether the process that put it lives. */
  readonly lives: boolean;
}

/** An ask that a session serves and whose child has not acknowledged its end. */
export interface OpenServed {
  readonly requestId: RequestId;
  readonly childToken: string;
  /** Epoch milliseconds on the session's own clock. */
  readonly receivedAt: number;
  readonly deadlineAt: number;
  /** How often it was put to somebody. */
  readonly presented: number;
  /** How it ended; null while it is undecided. */
  readonly ended: string | null;
}

/** What is open in the journal of one session. */
export interface OpenAsks {
  readonly asked: readonly OpenAsked[];
  readonly served: readonly OpenServed[];
}

/**
 * Reads what is open at a session beside whoever writes its journal; nothing is changed and no process is counted in.
 * Null when the session has no journal, or one that another version of this program wrote.
 *
 * @throws {@link JournalError} when the file cannot be read.
 */
export function readOpenAsks(folder: string, session: string): OpenAsks | null {
  const files = sessionFiles(folder, session);
  if (!existsSync(files.journal)) return null;
  try {
    const database = new DatabaseSync(files.journal, { readOnly: true, timeout: BUSY_MS });
    try {
      const sql = sqlOn(database, files.journal);
      if (checkKind(sql) !== SCHEMA_VERSION) return null;
      const asked = sql.prepare("SELECT * FROM child_ask WHERE outcome IS NULL ORDER BY place");
      const served = sql.prepare(
        `SELECT * FROM served_ask WHERE end_kind IS NULL OR (receipt IS NULL AND end_kind = 'decision')
         ORDER BY place`,
      );
      return { asked: asked.all().map(askedOf(files)), served: served.all().map(servedOf) };
    } finally {
      database.close();
    }
  } catch (error) {
    throw toJournalError(error, files.journal);
  }
}

function askedOf(files: SessionFiles): (row: Row) => OpenAsked {
  const locks = ownerLocks(files);
  return (row) => ({
    requestId: textAt(row, "request_id"),
    parent: textAt(row, "parent"),
    createdAt: numberAt(row, "created_at"),
    expiresAt: numberAt(row, "expires_at"),
    passedOn: row["passed_on"] !== null,
    lives: locks.lives(textAt(row, "owner")),
  });
}

function servedOf(row: Row): OpenServed {
  return {
    requestId: textAt(row, "request_id"),
    childToken: textAt(row, "child_token"),
    receivedAt: numberAt(row, "received_at"),
    deadlineAt: numberAt(row, "deadline_at"),
    presented: numberAt(row, "presented"),
    ended: textOrNullAt(row, "end_kind"),
  };
}

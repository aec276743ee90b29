import { JournalError } from "./journal.ts";
import { numberAt, type Sql, textAt } from "./statements.ts";

/** Marks a SQLite file as a journal of this product: "AfJ1". */
export const APPLICATION_ID = 0x41664a31;

/** Steps from one version of the file to the next; never changed once released, only added to. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE session (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    name TEXT NOT NULL,
    life INTEGER NOT NULL,
    life_open INTEGER NOT NULL CHECK (life_open IN (0, 1)),
    epoch INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE chain (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    n INTEGER NOT NULL,
    hash TEXT NOT NULL,
    rows INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    acked_n INTEGER NOT NULL
  ) STRICT;
  INSERT INTO chain VALUES (1, 0, '', 0, 0, 0);

  CREATE TABLE outbox (
    n INTEGER PRIMARY KEY,
    header BLOB NOT NULL,
    salt BLOB NOT NULL,
    body BLOB NOT NULL,
    acked_at INTEGER
  ) STRICT;

  CREATE TABLE child_ask (
    request_id TEXT PRIMARY KEY,
    parent TEXT NOT NULL,
    ask_digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    outcome TEXT CHECK (outcome IN ('allowed', 'denied', 'lost')),
    decision_digest TEXT,
    lost TEXT,
    ended_at INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX child_ask_open ON child_ask (created_at) WHERE outcome IS NULL;
  CREATE INDEX child_ask_ended ON child_ask (expires_at) WHERE outcome IS NOT NULL;

  CREATE TABLE cancel (
    request_id TEXT NOT NULL,
    parent TEXT NOT NULL,
    why TEXT NOT NULL,
    queued_at INTEGER NOT NULL,
    PRIMARY KEY (request_id, parent)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE served_ask (
    place INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    child_token TEXT NOT NULL,
    ask_digest TEXT NOT NULL,
    ask TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    presented INTEGER NOT NULL DEFAULT 0,
    accepted INTEGER NOT NULL DEFAULT 0,
    end_kind TEXT CHECK (end_kind IN ('decision', 'refused', 'withdrawn')),
    answer TEXT,
    ended_at INTEGER,
    receipt TEXT,
    receipt_at INTEGER
  ) STRICT;
  CREATE INDEX served_ask_open ON served_ask (place) WHERE end_kind IS NULL;
  CREATE INDEX served_ask_ended ON served_ask (ended_at) WHERE end_kind IS NOT NULL;
  CREATE INDEX served_ask_unreceipted ON served_ask (ended_at, place)
    WHERE end_kind IS NOT NULL AND receipt IS NULL;

  CREATE TABLE tombstone (
    request_id TEXT NOT NULL,
    child_token TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (request_id, child_token)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE session_grant (
    place INTEGER PRIMARY KEY,
    grant_id TEXT NOT NULL UNIQUE,
    life INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    surface TEXT NOT NULL,
    pattern TEXT NOT NULL,
    width TEXT NOT NULL CHECK (width IN ('proven', 'family')),
    granted_by TEXT,
    granted_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    uses INTEGER NOT NULL
  ) STRICT;
  `,
  // Acknowledgements as marks, so that none rewrites the record it is about.
  `
  CREATE TABLE acked (upto INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
  INSERT INTO acked SELECT max(n), acked_at FROM outbox WHERE acked_at IS NOT NULL GROUP BY acked_at;
  ALTER TABLE outbox DROP COLUMN acked_at;
  ALTER TABLE outbox ADD COLUMN parked TEXT;
  CREATE INDEX outbox_parked ON outbox (n) WHERE parked IS NOT NULL;
  `,
  // Grants without a scope could count for whom they were not given: they are asked for again.
  `
  DELETE FROM session_grant;
  ALTER TABLE session_grant ADD COLUMN scope TEXT NOT NULL DEFAULT 'child_session'
    CHECK (scope IN ('child_session', 'serving_session'));
  `,
  // Asks in order of arrival: their ids are random, and only the index of ids is to lie all over the file.
  `
  ALTER TABLE child_ask RENAME TO child_ask_by_id;
  CREATE TABLE child_ask (
    place INTEGER PRIMARY KEY,
    request_id TEXT NOT NULL UNIQUE,
    parent TEXT NOT NULL,
    ask_digest TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    owner TEXT NOT NULL,
    outcome TEXT CHECK (outcome IN ('allowed', 'denied', 'lost')),
    decision_digest TEXT,
    lost TEXT,
    ended_at INTEGER
  ) STRICT;
  INSERT INTO child_ask (request_id, parent, ask_digest, created_at, expires_at, owner, outcome,
      decision_digest, lost, ended_at)
    SELECT request_id, parent, ask_digest, created_at, expires_at, owner, outcome, decision_digest,
      lost, ended_at
    FROM child_ask_by_id ORDER BY created_at, request_id;
  DROP TABLE child_ask_by_id;
  CREATE INDEX child_ask_open ON child_ask (place) WHERE outcome IS NULL;
  CREATE INDEX child_ask_expiring ON child_ask (expires_at);
  `,
  // Asks put for another session: their very bytes, for whoever goes on with them; none once they have ended.
  `
  ALTER TABLE child_ask ADD COLUMN passed_on BLOB;
  `,
];

/** From this version on a grant has a scope; what stands in older files counts for nobody. */
export const SCOPED_GRANTS_VERSION = 3;

/** Version of the file that this program writes. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/**
 * Refuses a file that is no journal, or one of a newer program, before anything is written to it.
 *
 * @returns The version of the file.
 * @throws JournalError `journal_foreign` or `journal_newer`.
 */
export function checkKind(sql: Sql): number {
  const id = pragma(sql, "application_id");
  const tables = numberAt(sql.prepare("SELECT count(*) AS n FROM sqlite_schema").get() ?? {}, "n");
  if (id !== APPLICATION_ID && (id !== 0 || tables > 0)) {
    throw new JournalError(
      "journal_foreign",
      sql.file,
      `The file ${sql.file} is a database of another program. Move it away or name another data folder.`,
    );
  }
  return checkVersion(sql);
}

/**
 * Brings the file to this program's version; called inside a write transaction.
 *
 * @throws JournalError `journal_newer` when another process brought it further meanwhile.
 */
export function migrate(sql: Sql): void {
  const version = checkVersion(sql);
  for (const step of MIGRATIONS.slice(version)) sql.exec(step);
  if (version < SCHEMA_VERSION) {
    sql.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  }
}

/**
 * Writes the session's name into a new file, or refuses another session's; called inside a write
 * transaction.
 *
 * @throws JournalError `journal_foreign`.
 */
export function claimSession(sql: Sql, session: string): void {
  sql
    .prepare("INSERT INTO session VALUES (1, ?, 0, 0, 0) ON CONFLICT (only) DO NOTHING")
    .run(session);
  const name = textAt(sql.prepare("SELECT name FROM session").get() ?? {}, "name");
  if (name === session) return;
  throw new JournalError(
    "journal_foreign",
    sql.file,
    `The journal ${sql.file} belongs to session "${name}", not to "${session}". Put the file back under its own name or name another data folder.`,
  );
}

function checkVersion(sql: Sql): number {
  const version = pragma(sql, "user_version");
  if (version <= SCHEMA_VERSION) return version;
  throw new JournalError(
    "journal_newer",
    sql.file,
    `The journal ${sql.file} has version ${version}, and this program knows up to ${SCHEMA_VERSION}. Run the newer askfabric, or name another data folder.`,
  );
}

function pragma(sql: Sql, name: "application_id" | "user_version"): number {
  return numberAt(sql.prepare(`PRAGMA ${name}`).get() ?? {}, name);
}

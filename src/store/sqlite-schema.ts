import { randomBytes } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { storeError } from "./sqlite-failure.ts";

/** Marks a SQLite file as an audit store of this product: "AfA1". */
const APPLICATION_ID = 0x41664131;

/** Steps from one version of the file to the next; never changed once released, only added to. */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE store (only INTEGER PRIMARY KEY CHECK (only = 1), id TEXT NOT NULL) STRICT;

  CREATE TABLE record (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    event_id BLOB NOT NULL UNIQUE,
    session TEXT NOT NULL,
    n INTEGER NOT NULL,
    kind TEXT NOT NULL,
    event TEXT,
    request_id TEXT,
    wire_id TEXT,
    tool_call_id TEXT,
    time INTEGER NOT NULL,
    header BLOB NOT NULL,
    salt BLOB,
    body BLOB,
    sequence INTEGER NOT NULL,
    taken_at INTEGER NOT NULL,
    kept_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX record_chain ON record (session, n);
  CREATE INDEX record_request ON record (request_id) WHERE request_id IS NOT NULL;
  CREATE INDEX record_wire ON record (wire_id) WHERE wire_id IS NOT NULL;
  CREATE INDEX record_tool_call ON record (tool_call_id) WHERE tool_call_id IS NOT NULL;

  CREATE TABLE dead_letter (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    digest BLOB NOT NULL UNIQUE,
    fault TEXT NOT NULL,
    subject TEXT NOT NULL,
    headers TEXT NOT NULL,
    data BLOB NOT NULL,
    sequence INTEGER NOT NULL,
    taken_at INTEGER NOT NULL,
    kept_at INTEGER NOT NULL
  ) STRICT;
  `,
  // From the first of these places to the last there is a row at each: one that is not there was removed.
  `
  ALTER TABLE store ADD COLUMN first_record INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE store ADD COLUMN last_record INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE store ADD COLUMN first_dead_letter INTEGER NOT NULL DEFAULT 1;
  ALTER TABLE store ADD COLUMN last_dead_letter INTEGER NOT NULL DEFAULT 0;
  UPDATE store SET
    last_record = (SELECT coalesce(max(place), 0) FROM record),
    last_dead_letter = (SELECT coalesce(max(place), 0) FROM dead_letter);
  UPDATE store SET first_record = last_record + 1, first_dead_letter = last_dead_letter + 1;
  `,
];

/** Refuses a file that is no store of this product, or a newer one. @throws StoreError */
export function checkStore(database: DatabaseSync, where: string): void {
  const id = pragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get();
  if (id !== APPLICATION_ID && (id !== 0 || tables?.["n"] !== 0)) {
    throw storeError("store_foreign", where, "is a database of another program");
  }
  const version = pragma(database, "user_version");
  if (version <= MIGRATIONS.length) return;
  throw storeError(
    "store_newer",
    where,
    `has version ${String(version)}, and this program knows up to ${String(MIGRATIONS.length)}`,
  );
}

/** Brings the file to this program's version, and gives a new one its id. */
export function migrateStore(database: DatabaseSync): void {
  const version = pragma(database, "user_version");
  if (version === MIGRATIONS.length) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    for (const step of MIGRATIONS.slice(pragma(database, "user_version"))) database.exec(step);
    database
      .prepare("INSERT INTO store (only, id) VALUES (1, ?) ON CONFLICT (only) DO NOTHING")
      .run(randomBytes(8).toString("hex"));
    database.exec(
      `PRAGMA application_id = ${String(APPLICATION_ID)}; PRAGMA user_version = ${String(MIGRATIONS.length)}; COMMIT`,
    );
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Says whether the file marks which of its rows were removed; one that only older programs wrote to does not. */
export function marksRemoved(database: DatabaseSync): boolean {
  return pragma(database, "user_version") >= 2;
}

/** The store's own id. */
export function storeIdOf(database: DatabaseSync): string {
  return String(database.prepare("SELECT id FROM store").get()?.["id"] ?? "");
}

function pragma(database: DatabaseSync, name: string): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name] ?? 0);
}

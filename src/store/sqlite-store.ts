import { chmodSync, closeSync, fchmodSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sqliteAppend } from "./sqlite-append.ts";
import { storeError, toStoreError } from "./sqlite-failure.ts";
import { sqliteReads } from "./sqlite-reads.ts";
import { checkStore, migrateStore, storeIdOf } from "./sqlite-schema.ts";
import type { AuditReads, AuditStore } from "./store.ts";

/** How long a statement waits for another process, in milliseconds; the event loop stands still meanwhile. */
const BUSY_MS = 1_000;

/**
 * Opens the store in a SQLite file, and makes it, for this user alone, when it is not there. A batch that was
 * appended survives a power loss.
 *
 * @throws {@link StoreError}
 */
export async function openSqliteStore(file: string): Promise<AuditStore> {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    makeOwnerOnly(file);
    const database = new DatabaseSync(file, { timeout: BUSY_MS });
    try {
      checkStore(database, file);
      // Larger pages, and fewer of them moved into the file at a time: half as many bytes for each record.
      database.exec(`
        PRAGMA page_size = 16384;
        PRAGMA journal_mode = WAL;
        PRAGMA wal_autocheckpoint = 4000;
        PRAGMA synchronous = FULL;
        PRAGMA fullfsync = ON;
        PRAGMA checkpoint_fullfsync = ON;
        PRAGMA journal_size_limit = 67108864;
        PRAGMA cache_size = -65536;
        PRAGMA trusted_schema = OFF;
      `);
      migrateStore(database);
      const id = storeIdOf(database);
      const close = closing(database);
      return await Promise.resolve({
        ...sqliteReads(database, file),
        id,
        where: file,
        append: sqliteAppend(database, file),
        [Symbol.asyncDispose]: close,
      });
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toStoreError(error, file);
  }
}

/**
 * Opens a store that is there to ask it, beside whoever writes to it.
 *
 * @throws {@link StoreError} `store_missing` and others.
 */
export async function openSqliteReads(file: string): Promise<AuditReads & AsyncDisposable> {
  try {
    // What this user may not look at is not taken to be absent.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) {
      throw storeError("store_missing", file, "is not there");
    }
    const database = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    try {
      checkStore(database, file);
      return await Promise.resolve({
        ...sqliteReads(database, file),
        [Symbol.asyncDispose]: closing(database),
      });
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toStoreError(error, file);
  }
}

function closing(database: DatabaseSync): () => Promise<void> {
  return async () => {
    if (database.isOpen) database.close();
    await Promise.resolve();
  };
}

/** A file that is there is never opened here: closing it would lift the locks SQLite holds on it in this process. */
function makeOwnerOnly(file: string): void {
  try {
    const descriptor = openSync(file, "wx", 0o600);
    try {
      fchmodSync(descriptor, 0o600);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    chmodSync(file, 0o600);
  }
}

import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { ServerFolders } from "./data-folder.ts";
import { ServerError } from "./server-error.ts";

/** Databases whose lock this process holds; a handle nobody refers to is collected and its lock with it. */
const held = new Set<DatabaseSync>();

/** The right to run a server on a data folder. The operating system lifts it when the process dies. */
export interface DataLock {
  release(): void;
}

/**
 * Takes the lock of a data folder. The file stays when the lock is lifted: removing it would let two
 * processes hold locks on two files of one name.
 *
 * @throws {@link ServerError} `server_data_in_use` when another process holds it, `server_data_unusable` when
 * the folder cannot be written.
 */
export function takeDataLock({ data, server }: ServerFolders): DataLock {
  const file = join(server, "up.lock");
  let database: DatabaseSync | undefined;
  try {
    closeSync(openSync(file, "a", 0o600));
    database = new DatabaseSync(file, { timeout: 0 });
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database?.close();
    throw toServerError(error, data);
  }
  const lock = database;
  held.add(lock);
  return {
    release: () => {
      if (held.delete(lock)) lock.close();
    },
  };
}

const SQLITE_BUSY = 5;

function toServerError(error: unknown, folder: string): ServerError {
  const busy = error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY;
  if (busy) {
    return new ServerError(
      "server_data_in_use",
      `another "askfabric up" runs on ${folder}: use that one, end it, or choose another folder with --data`,
      { cause: error },
    );
  }
  return new ServerError(
    "server_data_unusable",
    `${folder} cannot be used as data folder (${error instanceof Error ? error.message : "unknown"}): make it writable for this user, or choose another with --data`,
    { cause: error },
  );
}

import { setTimeout as sleep } from "node:timers/promises";
import { isBusy } from "./failure.ts";
import { checkKind } from "./schema.ts";
import type { Sql } from "./statements.ts";

/** Pause between two tries to open a file that another process is just setting up, in milliseconds. */
const RETRY_MS = 20;

/** Pages of 4 KiB in the log before they are copied into the file: copying syncs as well, and waits for nobody. */
const CHECKPOINT_PAGES = 4000;

/** Most memory for pages of the file, in KiB: ids are random, so that rows of one commit lie all over it. */
const CACHE_KIB = 8192;

/** How a connection to a session's file is set up. */
export interface SetUp {
  /** How long a statement waits for another process, in milliseconds. */
  readonly busyMs: number;
  /** `FULL`: a commit that returned survives a power loss. `NORMAL`: it survives the death of the process. */
  readonly synchronous: "FULL" | "NORMAL";
}

/**
 * Sets a connection up, and the file when it is new. SQLite does not wait by itself while another process sets
 * the file up or recovers it.
 */
export async function setUp(sql: Sql, { busyMs, synchronous }: SetUp): Promise<void> {
  for (let left = busyMs / RETRY_MS; ; left -= 1) {
    try {
      checkKind(sql);
      sql.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
      break;
    } catch (error) {
      if (left <= 0 || !(error instanceof Error) || !isBusy(error.cause)) throw error;
      await sleep(RETRY_MS);
    }
  }
  sql.exec(`
    PRAGMA busy_timeout = ${busyMs};
    PRAGMA synchronous = ${synchronous};
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
    PRAGMA journal_size_limit = 67108864;
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};
    PRAGMA cache_size = -${CACHE_KIB};
    PRAGMA trusted_schema = OFF;
  `);
}

import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isNotADatabase } from "./failure.ts";
import { makeOwnerOnly, type SessionFiles } from "./session-files.ts";

/**
 * Databases whose lock this process holds. A lock ends with its handle, and a handle that nobody
 * refers to is collected: this set is what keeps a lock for as long as the process lives.
 */
const held = new Set<DatabaseSync>();

/** The sign that a process lives: the operating system lifts it when the process dies, however it dies. */
export interface OwnerLock {
  readonly file: string;
  /** Lifts the lock and removes its file. */
  release(): void;
}

/** Locks of the processes that have a session's journal open. */
export interface OwnerLocks {
  /**
   * Takes the lock of a new owner. Called inside a write transaction of the journal: while it lasts
   * no other process sweeps, so none can see the file between its creation and its locking.
   */
  take(owner: string): OwnerLock;
  /** Says whether the process of `owner` lives. A lock that cannot be looked at counts as held. */
  lives(owner: string): boolean;
  /** Owners of the session that live, this process's own among them. */
  living(): readonly string[];
  /** Removes the files of dead owners. Called inside a write transaction of the journal, see {@link OwnerLocks.take}. */
  sweep(): void;
}

/** The locks of one session. An owner's name is never used twice, so a lock once free stays free. */
export function ownerLocks(files: SessionFiles): OwnerLocks {
  const fileOf = (owner: string): string => join(files.owners, `${files.ownerPrefix}${owner}.lock`);
  const owners = (): string[] =>
    (existsSync(files.owners) ? readdirSync(files.owners) : [])
      .filter((name) => name.startsWith(files.ownerPrefix) && name.endsWith(".lock"))
      .map((name) => name.slice(files.ownerPrefix.length, -".lock".length));
  const lives = (owner: string): boolean => isHeld(fileOf(owner));
  return {
    take: (owner) => takeLock(fileOf(owner), { keep: false }),
    lives,
    living: () => owners().filter(lives),
    sweep: () => {
      for (const owner of owners()) {
        if (!lives(owner)) rmSync(fileOf(owner), { force: true });
      }
    },
  };
}

/**
 * Takes the lock of a file, which is made when it is not there. `keep`: the file stays, because it has one name
 * for all who take turns: who removed it would let two of them hold locks on two files. `waitMs`: how long it is
 * waited for another one to let go.
 */
export function takeLock(
  file: string,
  { keep, waitMs = 0 }: { readonly keep: boolean; readonly waitMs?: number },
): OwnerLock {
  makeOwnerOnly(file);
  const database = new DatabaseSync(file, { timeout: waitMs });
  try {
    // Without a journal file there is nothing to leave behind; nothing is ever written here.
    database.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (!keep) rmSync(file, { force: true });
    throw error;
  }
  held.add(database);
  return {
    file,
    release: () => {
      if (!held.delete(database)) return;
      database.close();
      if (!keep) rmSync(file, { force: true });
    },
  };
}

/** Readers share, so that two who look at once never take each other for the owner. */
function isHeld(file: string): boolean {
  if (!existsSync(file)) return false;
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(file, { readOnly: true, timeout: 0 });
    database.prepare("SELECT 1 FROM sqlite_schema").get();
    return false;
  } catch (error) {
    return !isNotADatabase(error) && existsSync(file);
  } finally {
    database?.close();
  }
}

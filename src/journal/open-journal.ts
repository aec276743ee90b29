import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../ask/ports.ts";
import { chainOn } from "./chain.ts";
import { childAsks } from "./child-asks.ts";
import { goneError, toJournalError } from "./failure.ts";
import { sessionGrants } from "./grants.ts";
import type { Journal, JournalReads, JournalWrites } from "./journal.ts";
import { outboxOn } from "./outbox.ts";
import { type OwnerLocks, ownerLocks } from "./owner-lock.ts";
import { recordsOn } from "./record-writer.ts";
import { servedAsks } from "./served-asks.ts";
import { identityOf, makeFolders, makeOwnerOnly, sessionFiles, tighten } from "./session-files.ts";
import { endLife, enterSession, type Standing } from "./session-life.ts";
import { setUp } from "./set-up.ts";
import { type Sql, sqlOn } from "./statements.ts";
import { sweepOn } from "./sweep.ts";
import { transactionsOn } from "./transactions.ts";

/** Default of {@link OpenJournalOptions.busyTimeoutMs}. */
const BUSY_MS = 5000;

/** What a journal is opened with. */
export interface OpenJournalOptions {
  /** The data folder; made, for this user alone, when it is not there. */
  readonly folder: string;
  /** The session's id; any well-formed text. */
  readonly session: string;
  readonly clock: Clock;
  /**
   * How long a transaction waits for another process of the session, in milliseconds. The event loop
   * stands still meanwhile; others hold the file for the time of one commit. @defaultValue 5000
   */
  readonly busyTimeoutMs?: number;
  /** Called when a commit took over 50 ms, with its milliseconds; at most once in 10 s. */
  readonly onSlowCommit?: (ms: number) => void;
}

/**
 * Opens the journal of a session, and makes it when there is none. Each opening is an incarnation of
 * its own, also within one process. Whatever a dead process left half done is undone here.
 *
 * @throws {@link JournalError} when the file cannot be used.
 * @throws RangeError when the session's id is not well-formed.
 */
export async function openJournal(options: OpenJournalOptions): Promise<Journal> {
  const files = sessionFiles(options.folder, options.session);
  try {
    makeFolders(options.folder, files);
    makeOwnerOnly(files.journal);
    for (const beside of ["-wal", "-shm"]) tighten(`${files.journal}${beside}`);
    const database = new DatabaseSync(files.journal, { timeout: 0 });
    try {
      const sql = sqlOn(database, files.journal);
      await setUp(sql, { busyMs: options.busyTimeoutMs ?? BUSY_MS, synchronous: "FULL" });
      return enter(options, { database, sql, locks: ownerLocks(files) });
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toJournalError(error, files.journal);
  }
}

interface Opened {
  readonly database: DatabaseSync;
  readonly sql: Sql;
  readonly locks: OwnerLocks;
}

function enter(options: OpenJournalOptions, opened: Opened): Journal {
  const standing = enterSession(opened.sql, options.session, opened.locks);
  try {
    return assemble(options, opened, standing);
  } catch (error) {
    standing.lock.release();
    throw error;
  }
}

function assemble(options: OpenJournalOptions, opened: Opened, standing: Standing): Journal {
  const { sql, locks } = opened;
  const { incarnation, life, lock } = standing;
  const chain = chainOn(sql);
  const child = childAsks(sql, {
    owner: incarnation,
    lives: (owner) => locks.lives(owner),
  });
  const served = servedAsks(sql, options.clock);
  const grants = sessionGrants(sql, life);
  const outbox = outboxOn(sql, chain);
  const records = recordsOn(sql, chain, { session: options.session, incarnation });
  const read: JournalReads = Object.freeze({
    ...child.reads,
    ...served.reads,
    ...grants.reads,
    ...outbox.reads,
  });
  const writes: JournalWrites = Object.freeze({
    ...read,
    ...child.writes,
    ...served.writes,
    ...grants.writes,
    ...outbox.writes,
    ...records,
    ...sweepOn(sql, life),
  });
  const identity = identityOf(sql.file);
  const transactions = transactionsOn({
    sql,
    chain,
    writes,
    clock: options.clock,
    assertInPlace: () => {
      if (identity === null || identityOf(sql.file) !== identity) throw goneError(sql.file);
    },
    onSlowCommit: options.onSlowCommit ?? (() => undefined),
  });

  let closed = false;
  const close = async (clean: boolean): Promise<void> => {
    if (closed) return;
    closed = true;
    try {
      transactions.close();
      if (clean) endLife(sql, lock, locks);
    } finally {
      lock.release();
      opened.database.close();
    }
  };

  return Object.freeze({
    session: options.session,
    file: sql.file,
    incarnation,
    life,
    owner: incarnation,
    read,
    write: transactions.write,
    group: transactions.group,
    soon: transactions.soon,
    close,
    [Symbol.asyncDispose]: async () => close(false),
  });
}

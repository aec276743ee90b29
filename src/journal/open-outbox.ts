import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Clock } from "../ask/ports.ts";
import { chainOn } from "./chain.ts";
import { goneError, toJournalError } from "./failure.ts";
import type { Outbox, OutboxWrites } from "./journal.ts";
import { outboxOn } from "./outbox.ts";
import { ownerLocks } from "./owner-lock.ts";
import { migrate } from "./schema.ts";
import { findJournals, identityOf, type SessionFiles, sessionFiles } from "./session-files.ts";
import { setUp } from "./set-up.ts";
import { type Sql, sqlOn, textAt } from "./statements.ts";
import { transactionsOn } from "./transactions.ts";

/** How long a transaction waits for the session's own processes, in milliseconds. */
const BUSY_MS = 5000;

/** An outbox that was opened by itself. */
export interface OpenOutbox extends Outbox, Disposable {
  close(): void;
}

/** What an outbox is opened with. */
export interface OpenOutboxOptions {
  /** The data folder. */
  readonly folder: string;
  readonly session: string;
  readonly clock: Clock;
}

/**
 * Opens the outbox of a session whose journal is there, beside whatever process of the session has it open:
 * no incarnation begins, no life ends. Null when there is no such journal. What is written here survives the
 * death of the process; a power loss may undo acknowledgements, which then are asked for again.
 *
 * @throws {@link JournalError} when the file cannot be used.
 */
export async function openOutbox(options: OpenOutboxOptions): Promise<OpenOutbox | null> {
  return openFile(sessionFiles(options.folder, options.session), options.clock);
}

/** A journal whose session no process has open, and when it changed last. */
export interface IdleJournal {
  readonly file: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  /** Says whether a process of the session lives now. */
  lives(): boolean;
  /** Opens its outbox, see {@link openOutbox}. */
  open(clock: Clock): Promise<OpenOutbox | null>;
}

/** The journals of a data folder that no living process has open. */
export function idleJournals(folder: string): readonly IdleJournal[] {
  return findJournals(folder)
    .map((found) => {
      const locks = ownerLocks(found);
      return {
        file: found.journal,
        changedAt: found.changedAt,
        lives: () => locks.living().length > 0,
        open: async (clock: Clock) => openFile(found, clock),
      };
    })
    .filter((journal) => !journal.lives());
}

async function openFile(files: SessionFiles, clock: Clock): Promise<OpenOutbox | null> {
  if (!existsSync(files.journal)) return null;
  try {
    const database = new DatabaseSync(files.journal, { timeout: 0 });
    try {
      const sql = sqlOn(database, files.journal);
      await setUp(sql, { busyMs: BUSY_MS, synchronous: "NORMAL" });
      return assemble(sql, clock, () => database.close());
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toJournalError(error, files.journal);
  }
}

function assemble(sql: Sql, clock: Clock, end: () => void): OpenOutbox {
  sql.exec("BEGIN IMMEDIATE");
  migrate(sql);
  sql.exec("COMMIT");
  const session = textAt(sql.prepare("SELECT name FROM session").get() ?? {}, "name");
  const chain = chainOn(sql);
  const outbox = outboxOn(sql, chain);
  const identity = identityOf(sql.file);
  const transactions = transactionsOn<OutboxWrites>({
    sql,
    chain,
    writes: outbox.writes,
    clock,
    assertInPlace: () => {
      if (identity === null || identityOf(sql.file) !== identity) throw goneError(sql.file);
    },
    onSlowCommit: () => undefined,
  });
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    transactions.close();
    end();
  };
  return {
    session,
    read: outbox.reads,
    write: transactions.write,
    close,
    [Symbol.dispose]: close,
  };
}

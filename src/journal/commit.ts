import type { Clock } from "../ask/ports.ts";
import type { Chain } from "./chain.ts";
import type { Sql } from "./statements.ts";

/** A commit that takes longer is reported, in milliseconds. */
const SLOW_COMMIT_MS = 50;

/** Least time between two reports of slow commits, in milliseconds: a slow disk is told of, not every commit on it. */
const REPORT_EVERY_MS = 10_000;

/** One piece of work and whoever waits for it. */
export interface Entry<W> {
  readonly run: (tx: W) => void;
  readonly done: () => void;
  readonly failed: (error: unknown) => void;
}

/** What a commit works on; `W` is what its works may do. */
export interface CommitParts<W> {
  readonly sql: Sql;
  readonly chain: Chain;
  readonly writes: W;
  readonly clock: Clock;
  /** Throws when the file is no longer the one that was opened. */
  readonly assertInPlace: () => void;
  /** Told how long a commit took when that was over 50 ms, the wait for others counted in; at most once in 10 s. */
  readonly onSlowCommit: (ms: number) => void;
}

/** Runs entries in one durable transaction. */
export interface Committer<W> {
  /** Throws when a transaction of this journal is running: its work must not start another. */
  assertIdle(): void;
  /** Runs `entries` in order and settles each; one that throws is undone alone. Never throws itself. */
  commit(entries: readonly Entry<W>[]): void;
}

interface Thrown {
  readonly error: unknown;
}

interface Result<W> {
  readonly entry: Entry<W>;
  /** Null when the work stands. */
  readonly thrown: Thrown | null;
}

/** Commits on `parts.sql`. */
export function committerOn<W>(parts: CommitParts<W>): Committer<W> {
  const { sql, chain, clock } = parts;
  const begin = sql.prepare("BEGIN IMMEDIATE");
  const commit = sql.prepare("COMMIT");
  const savepoint = sql.prepare("SAVEPOINT entries");
  const rollbackTo = sql.prepare("ROLLBACK TO entries");
  let running = false;
  let reportedAt = Number.NEGATIVE_INFINITY;

  // One savepoint for all: one for each entry would cost as much as what most entries write.
  const undoTo = (count: number): void => {
    if (sql.changeCount() === count) return;
    rollbackTo.step();
    sql.repeatChanges(count);
  };

  const runOne = (entry: Entry<W>): Result<W> => {
    const unmark = chain.mark();
    const before = sql.changeCount();
    try {
      entry.run(parts.writes);
      return { entry, thrown: null };
    } catch (error) {
      // A full disk and its like have already ended the whole transaction.
      if (!sql.inTransaction()) throw error;
      undoTo(before);
      unmark();
      return { entry, thrown: { error } };
    }
  };

  /** What it did is undone with the whole transaction, which is its own. */
  const runAlone = (entry: Entry<W>): Result<W> => {
    entry.run(parts.writes);
    return { entry, thrown: null };
  };

  const runAll = (entries: readonly Entry<W>[]): readonly Result<W>[] => {
    parts.assertInPlace();
    const asked = clock.monotonic();
    begin.step();
    const begun = clock.monotonic();
    chain.forget();
    sql.forgetChanges();
    if (entries.length > 1) savepoint.step();
    const results = entries.map(entries.length === 1 ? runAlone : runOne);
    const done = clock.monotonic();
    chain.flush();
    commit.step();
    chain.forget();
    sql.forgetChanges();
    const ms = begun - asked + (clock.monotonic() - done);
    if (ms > SLOW_COMMIT_MS && done - reportedAt >= REPORT_EVERY_MS) {
      reportedAt = done;
      // Later, so that a listener that throws never makes a durable commit look like a failed one.
      queueMicrotask(() => parts.onSlowCommit(Math.round(ms)));
    }
    return results;
  };

  const undo = (): void => {
    chain.forget();
    if (!sql.inTransaction()) return;
    try {
      sql.exec("ROLLBACK");
    } catch {
      // The failure that led here is the one to tell of; this one leaves nothing durable either.
    }
  };

  const attempt = (entries: readonly Entry<W>[]): readonly Result<W>[] => {
    running = true;
    try {
      return runAll(entries);
    } catch (error) {
      undo();
      return entries.map((entry) => ({ entry, thrown: { error } }));
    } finally {
      running = false;
    }
  };

  return {
    assertIdle: () => {
      if (running) throw new Error("A transaction of the journal was started inside another.");
    },
    commit: (entries) => {
      for (const { entry, thrown } of attempt(entries)) {
        if (thrown === null) entry.done();
        else entry.failed(thrown.error);
      }
    },
  };
}

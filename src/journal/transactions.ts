import { type CommitParts, committerOn, type Entry } from "./commit.ts";
import { closedError } from "./failure.ts";

/** How long a group waits for more to share its sync. Timers are up to 2 ms late, and 10 ms are promised. */
const GROUP_MS = 8;

/** Durable transactions, one at a time; `W` is what their works may do. */
export interface Transactions<W> {
  /** See {@link Journal.write}. */
  readonly write: <T>(work: (tx: W) => T) => T;
  /** See {@link Journal.group}. */
  readonly group: (work: (tx: W) => void) => Promise<void>;
  /** See {@link Journal.soon}. */
  readonly soon: (work: (tx: W) => void) => Promise<void>;
  /** Commits what is queued and refuses everything after. */
  close(): void;
}

/**
 * Works that were queued before a write are committed in its transaction, ahead of it: the order of
 * calls is the order of records. Each work stands or falls alone; the commit is one.
 */
export function transactionsOn<W>(parts: CommitParts<W>): Transactions<W> {
  const committer = committerOn(parts);
  let queue: Entry<W>[] = [];
  let cancelTimer: (() => void) | null = null;
  let hurried = false;
  let closed = false;

  const takeQueue = (): Entry<W>[] => {
    const entries = queue;
    queue = [];
    cancelTimer?.();
    cancelTimer = null;
    hurried = false;
    return entries;
  };
  const commitQueue = (): void => {
    const entries = takeQueue();
    if (entries.length > 0) committer.commit(entries);
  };
  const atTurnEnd = (): (() => void) => {
    const immediate = setImmediate(commitQueue);
    return () => clearImmediate(immediate);
  };
  const enqueue = async (work: (tx: W) => void, plan: () => void): Promise<void> =>
    new Promise((resolve, reject) => {
      if (closed) {
        reject(closedError(parts.sql.file));
        return;
      }
      queue.push({ run: (tx) => refusePromise(work(tx)), done: resolve, failed: reject });
      plan();
    });
  const hurry = (): void => {
    if (hurried) return;
    hurried = true;
    cancelTimer?.();
    cancelTimer = atTurnEnd();
  };
  const schedule = (): (() => void) => {
    const timer = setTimeout(commitQueue, GROUP_MS);
    return () => clearTimeout(timer);
  };

  return {
    write: <T>(work: (tx: W) => T): T => {
      committer.assertIdle();
      if (closed) throw closedError(parts.sql.file);
      const values: T[] = [];
      const errors: unknown[] = [];
      const own: Entry<W> = {
        run: (tx) => values.push(refusePromise(work(tx))),
        done: () => undefined,
        failed: (error) => errors.push(error),
      };
      committer.commit([...takeQueue(), own]);
      if (errors.length > 0) throw errors[0];
      return values[0] as T;
    },
    group: async (work) =>
      enqueue(work, () => {
        cancelTimer ??= schedule();
      }),
    soon: async (work) => enqueue(work, hurry),
    close: () => {
      committer.assertIdle();
      commitQueue();
      closed = true;
    },
  };
}

/** A transaction ends when its work returns; what an async work does later would not be part of it. */
function refusePromise<T>(value: T): T {
  if (value instanceof Promise) throw new Error("The work of a transaction must not be async.");
  return value;
}

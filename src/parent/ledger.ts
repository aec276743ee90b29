import type { Log } from "../ask/ports.ts";
import { type Journal, JournalError, type JournalWrites } from "../journal/journal.ts";

/** Most transactions that wait for a journal that cannot be written. */
const OWED_MAX = 4096;

/** What became of a transaction: its value, or nothing, because of the file or because of the work itself. */
export type Committed<T> =
  | { readonly kept: true; readonly value: T }
  | { readonly kept: false; readonly why: "unwritable" | "faulty" };

/** The journal as this role writes it: a failure is a value and is remembered, never an exception. */
export interface Ledger {
  /** False from a failed write until one succeeds. While it is false no allow leaves unwritten. */
  writable(): boolean;
  /** Runs `work` in one durable transaction now. */
  commit<T>(work: (tx: JournalWrites) => T): Committed<T>;
  /** Runs `work` in the next group commit and tells `done` whether it stands; when it does not it is owed. */
  soon(work: (tx: JournalWrites) => void, done?: (kept: boolean) => void): void;
  /** Keeps `work` until the journal can be written again. */
  owe(work: (tx: JournalWrites) => void): void;
  /** Tries what is owed; called about once a second. */
  payOwed(): void;
  /** Waits until every group commit under way has ended. */
  settled(): Promise<void>;
  /** Transactions that wait, and those that were given up: too many waited, or they failed by themselves. */
  debts(): { readonly owed: number; readonly lost: number };
}

/** Wraps a journal for one serving process. */
export function openLedger(journal: Journal, log: Log): Ledger {
  const owed: ((tx: JournalWrites) => void)[] = [];
  const underWay = new Set<Promise<void>>();
  let failing = false;
  let lost = 0;

  /** A fault of `work` itself says nothing about the file: it is not tried again. */
  function failed(error: unknown): "unwritable" | "faulty" {
    if (!(error instanceof JournalError)) {
      lost += 1;
      log.error({ err: error }, "a change of the journal failed by itself and was undone");
      return "faulty";
    }
    if (!failing) log.error({ err: error }, "the journal cannot be written; no allow leaves");
    failing = true;
    return "unwritable";
  }
  function attempt<T>(work: (tx: JournalWrites) => T): Committed<T> {
    try {
      const value = journal.write(work);
      failing = false;
      return { kept: true, value };
    } catch (error) {
      return { kept: false, why: failed(error) };
    }
  }
  function owe(work: (tx: JournalWrites) => void): void {
    if (owed.length < OWED_MAX) owed.push(work);
    else lost += 1;
  }
  /** One promise for each work: there is one of these for every ask and every receipt. */
  function group(work: (tx: JournalWrites) => void, done?: (kept: boolean) => void): void {
    const end = (kept: boolean): void => {
      underWay.delete(ended);
      try {
        done?.(kept);
      } catch (error) {
        log.error({ err: error }, "what follows a commit failed");
      }
    };
    const ended = journal.group(work).then(
      () => end(true),
      (error: unknown) => {
        if (failed(error) === "unwritable") owe(work);
        end(false);
      },
    );
    underWay.add(ended);
  }

  return {
    writable: () => !failing,
    commit: attempt,
    owe,
    soon: group,
    payOwed(): void {
      for (let work = owed.shift(); work !== undefined; work = owed.shift()) {
        const paid = attempt(work);
        if (paid.kept || paid.why === "faulty") continue;
        owed.unshift(work);
        return;
      }
    },
    async settled(): Promise<void> {
      await Promise.allSettled(underWay);
    },
    debts: () => ({ owed: owed.length, lost }),
  };
}

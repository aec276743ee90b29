import { expect, it } from "vitest";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import { type Journal, JournalError, type JournalWrites } from "../../../src/journal/journal.ts";
import { openLedger } from "../../../src/parent/ledger.ts";

/** A journal that keeps the names of what was written while it is `well`. */
function openDisk() {
  const disk = { well: true, written: [] as string[] };
  const tx = {
    markAccepted: (name: string) => disk.written.push(name),
  } as unknown as JournalWrites;
  const write = <T>(work: (of: JournalWrites) => T): T => {
    if (!disk.well) throw new JournalError("journal_full", "journal.db", "the disk is full");
    return work(tx);
  };
  const journal = {
    write,
    group: async (work: (of: JournalWrites) => void) => {
      await Promise.resolve();
      write(work);
    },
  } as unknown as Journal;
  return { disk, ledger: openLedger(journal, SILENT_LOG) };
}

const named = (name: string) => (tx: JournalWrites) => tx.markAccepted(name);

it("a ledger says that it is not writable from a failed write until one succeeds", () => {
  const { disk, ledger } = openDisk();
  disk.well = false;
  expect(ledger.commit(named("a"))).toEqual({ kept: false, why: "unwritable" });
  expect(ledger.writable()).toBe(false);
  disk.well = true;
  expect(ledger.writable()).toBe(false);
  expect(ledger.commit(named("b")).kept).toBe(true);
  expect(ledger.writable()).toBe(true);
});

it("a ledger pays what it owes in order once the journal can be written", async () => {
  const { disk, ledger } = openDisk();
  disk.well = false;
  ledger.soon(named("a"));
  await ledger.settled();
  ledger.owe(named("b"));
  ledger.payOwed();
  expect(ledger.debts()).toEqual({ owed: 2, lost: 0 });
  disk.well = true;
  ledger.payOwed();
  expect(disk.written).toEqual(["a", "b"]);
  expect(ledger.debts()).toEqual({ owed: 0, lost: 0 });
});

it("a ledger gives work up that fails by itself, and goes on with the rest", async () => {
  const { disk, ledger } = openDisk();
  const broken = (): never => {
    throw new Error("broken on purpose");
  };
  ledger.soon(broken);
  await ledger.settled();
  ledger.owe(broken);
  ledger.owe(named("after"));
  ledger.payOwed();
  expect(disk.written).toEqual(["after"]);
  expect(ledger.debts()).toEqual({ owed: 0, lost: 2 });
  expect(ledger.writable()).toBe(true);
});

it("a ledger counts what it could not even owe", () => {
  const { disk, ledger } = openDisk();
  disk.well = false;
  for (let nth = 0; nth < 4100; nth += 1) ledger.owe(named("x"));
  expect(ledger.debts()).toEqual({ owed: 4096, lost: 4 });
});

import { describe, expect, it } from "vitest";
import type { Journal } from "../../../src/journal/journal.ts";
import { aChildAsk, aFolder, aGrant, aServedAsk, openAt } from "../../support/journal-parts.ts";

const DAY = 24 * 60 * 60 * 1000;
const LOST = { outcome: "lost", decisionDigest: null, lost: "timed_out", endedAt: 2_000 } as const;
const DECISION = { kind: "decision", answer: "{}", endedAt: 2_000 } as const;

function sweepAt(journal: Journal, now: number): number {
  return journal.write((tx) => tx.sweep(now));
}

describe("what leaves a journal", () => {
  it("an ended ask of the child leaves a day after its expiry, not a moment before", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertChildAsk(aChildAsk({ expiresAt: 10_000 }));
      tx.endChildAsk("perm-1", LOST);
    });
    expect(sweepAt(journal, 10_000 + DAY - 1)).toBe(0);
    expect(sweepAt(journal, 10_000 + DAY)).toBe(1);
    expect(journal.read.childAsk("perm-1")).toBeNull();
  });

  it("an open ask never leaves, whichever role has it", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertChildAsk(aChildAsk());
      tx.insertServedAsk(aServedAsk());
    });
    expect(sweepAt(journal, 100 * DAY)).toBe(0);
  });

  it("a served ask without a receipt leaves a day after its deadline", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertServedAsk(aServedAsk({ deadlineAt: 10_000 }));
      tx.endServedAsk("perm-1", DECISION);
    });
    expect(sweepAt(journal, 10_000 + DAY - 1)).toBe(0);
    expect(sweepAt(journal, 10_000 + DAY)).toBe(1);
    expect(journal.read.servedAsk("perm-1")).toBeNull();
  });

  it("a served ask whose receipt came late leaves a day after the receipt", async () => {
    using folder = aFolder();
    const clock = { now: () => 50_000, monotonic: () => 0 };
    await using journal = await openAt(folder.path, { clock });
    journal.write((tx) => {
      tx.insertServedAsk(aServedAsk({ deadlineAt: 10_000 }));
      tx.endServedAsk("perm-1", DECISION);
      tx.setReceipt("perm-1", DECISION.answer, "late");
    });
    expect(sweepAt(journal, 50_000 + DAY - 1)).toBe(0);
    expect(sweepAt(journal, 50_000 + DAY)).toBe(1);
  });

  it("a tombstone leaves a day after the last cancel", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertTombstone("perm-1", "child-1", 5_000);
      tx.insertTombstone("perm-1", "child-1", 3_000);
    });
    expect(sweepAt(journal, 5_000 + DAY - 1)).toBe(0);
    expect(sweepAt(journal, 5_000 + DAY)).toBe(1);
    expect(journal.read.hasTombstone("perm-1", "child-1")).toBe(false);
  });

  it("a cancel that nobody answers leaves when no parent can know its ask any more", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) =>
      tx.queueCancel({ requestId: "perm-1", parent: "p", why: "aborted", queuedAt: 1_000 }),
    );
    expect(sweepAt(journal, 1_000 + 2 * DAY - 1)).toBe(0);
    expect(sweepAt(journal, 1_000 + 2 * DAY)).toBe(1);
    expect(journal.read.queuedCancels()).toEqual([]);
  });

  it("grants of earlier lives leave", async () => {
    using folder = aFolder();
    const earlier = await openAt(folder.path);
    earlier.write((tx) => tx.addGrant(aGrant({ grantId: "of-earlier-life", expiresAt: 90_000 })));
    await earlier.close(true);
    await using journal = await openAt(folder.path);
    const standing = aGrant({ grantId: "standing", expiresAt: 90_000 });
    journal.write((tx) => tx.addGrant(standing));
    expect(sweepAt(journal, 5_000)).toBe(1);
    expect(journal.read.grants(0, "child_session")).toEqual([standing]);
  });
});

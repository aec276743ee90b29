import { describe, expect, it } from "vitest";
import { aFolder, aServedAsk, openAt } from "../../support/journal-parts.ts";

const DECISION = { kind: "decision", answer: '{"approved":true}', endedAt: 5_000 } as const;
const WITHDRAWN = { kind: "withdrawn", answer: '{"effect":"withdrawn"}', endedAt: 6_000 } as const;

describe("asks a parent serves in its journal", () => {
  it("a parent reads back the ask it received, not yet accepted, shown or ended", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertServedAsk(aServedAsk()));
    expect(journal.read.servedAsk("perm-1")).toEqual({
      ...aServedAsk(),
      presented: 0,
      accepted: false,
      end: null,
      receipt: null,
    });
    expect(journal.read.servedAsk("perm-2")).toBeNull();
  });

  it("an ask's text of the largest size comes back to the byte", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const ask = JSON.stringify({ value: "ü\u0000😀".repeat(32_000) });
    journal.write((tx) => tx.insertServedAsk(aServedAsk({ ask })));
    expect(journal.read.servedAsk("perm-1")?.ask).toBe(ask);
  });

  it("an ask that is written with its end counts once, whoever comes first", async () => {
    using folder = aFolder();
    await using first = await openAt(folder.path);
    await using second = await openAt(folder.path);
    expect(first.write((tx) => tx.insertEndedAsk(aServedAsk(), DECISION))).toBe(true);
    expect(second.write((tx) => tx.insertEndedAsk(aServedAsk(), WITHDRAWN))).toBe(false);
    expect(first.read.servedAsk("perm-1")).toMatchObject({ end: DECISION, receipt: null });
    expect(first.read.openServedAsks()).toEqual([]);
  });

  it("a receipt counts for the answer that stands, and once", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertEndedAsk(aServedAsk(), DECISION));
    const take = (answer: string, effect: "applied" | "late"): boolean =>
      journal.write((tx) => tx.setReceipt("perm-1", answer, effect));
    expect(take(WITHDRAWN.answer, "late")).toBe(false);
    expect(take(DECISION.answer, "applied")).toBe(true);
    expect(take(DECISION.answer, "late")).toBe(false);
    expect(journal.read.servedAsk("perm-1")?.receipt).toBe("applied");
  });

  it("the first end stands: a cancel after the verdict changes nothing", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertServedAsk(aServedAsk()));
    expect(journal.write((tx) => tx.endServedAsk("perm-1", DECISION))).toBe(true);
    expect(journal.write((tx) => tx.endServedAsk("perm-1", WITHDRAWN))).toBe(false);
    expect(journal.read.servedAsk("perm-1")?.end).toEqual(DECISION);
  });

  it("an unknown ask takes no end", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    expect(journal.write((tx) => tx.endServedAsk("perm-1", DECISION))).toBe(false);
  });

  it("a verdict that another process committed first stands", async () => {
    using folder = aFolder();
    await using first = await openAt(folder.path);
    await using second = await openAt(folder.path);
    first.write((tx) => tx.insertServedAsk(aServedAsk()));
    first.write((tx) => tx.endServedAsk("perm-1", DECISION));
    expect(second.write((tx) => tx.endServedAsk("perm-1", WITHDRAWN))).toBe(false);
  });

  it("each presentation is told how many there were before, also after a restart", async () => {
    using folder = aFolder();
    const before = await openAt(folder.path);
    before.write((tx) => tx.insertServedAsk(aServedAsk()));
    expect(before.write((tx) => tx.countPresented("perm-1"))).toBe(0);
    expect(before.write((tx) => tx.countPresented("perm-1"))).toBe(1);
    await before.close(false);
    await using after = await openAt(folder.path);
    expect(after.write((tx) => tx.countPresented("perm-1"))).toBe(2);
    expect(after.read.servedAsk("perm-1")?.presented).toBe(3);
  });

  it("acceptance and receipt are kept with the ask", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertServedAsk(aServedAsk());
      tx.markAccepted("perm-1");
      tx.endServedAsk("perm-1", DECISION);
      tx.setReceipt("perm-1", DECISION.answer, "late");
    });
    expect(journal.read.servedAsk("perm-1")).toMatchObject({ accepted: true, receipt: "late" });
  });

  it("open asks come in the order they arrived, ended ones without receipt in the order they ended", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (const requestId of ["perm-c", "perm-a", "perm-b", "perm-d", "perm-e"]) {
        tx.insertServedAsk(aServedAsk({ requestId }));
      }
      tx.endServedAsk("perm-d", { ...DECISION, endedAt: 7_000 });
      tx.endServedAsk("perm-a", { ...DECISION, endedAt: 6_000 });
      tx.endServedAsk("perm-e", { ...DECISION, endedAt: 5_000 });
      tx.setReceipt("perm-e", DECISION.answer, "applied");
    });
    const ids = (rows: readonly { requestId: string }[]): string[] =>
      rows.map((row) => row.requestId);
    expect(ids(journal.read.openServedAsks())).toEqual(["perm-c", "perm-b"]);
    expect(ids(journal.read.unreceiptedServedAsks())).toEqual(["perm-a", "perm-d"]);
  });

  it("a tombstone is found only for the child that cancelled", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertTombstone("perm-1", "child-1", 1_000));
    journal.write((tx) => tx.insertTombstone("perm-1", "child-1", 2_000));
    expect(journal.read.hasTombstone("perm-1", "child-1")).toBe(true);
    expect(journal.read.hasTombstone("perm-1", "child-2")).toBe(false);
    expect(journal.read.hasTombstone("perm-2", "child-1")).toBe(false);
  });
});

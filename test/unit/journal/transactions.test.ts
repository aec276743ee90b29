import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, vi } from "vitest";
import type { JournalWrites } from "../../../src/journal/journal.ts";
import { aChildAsk, aDraft, aFolder, failureOf, openAt } from "../../support/journal-parts.ts";
import { bodyOf, chainFaults } from "../../support/record-chain.ts";
import { textLike } from "../../support/text-like.ts";

/** A clock on which every reading is `stepMs` later: each commit is slow, and reported unless it follows too soon. */
function slowClock(stepMs = 100): { now: () => number; monotonic: () => number } {
  let time = 0;
  return {
    now: () => 0,
    monotonic: () => {
      time += stepMs;
      return time;
    },
  };
}

describe("a write to the journal", () => {
  it("returns what its work returns, and others see it at once", async () => {
    using folder = aFolder();
    await using writer = await openAt(folder.path);
    await using reader = await openAt(folder.path);
    expect(writer.write((tx) => tx.record(aDraft(), 1).n)).toBe(1);
    expect(reader.read.head()).toEqual(writer.read.head());
  });

  it("undoes everything when its work throws, and throws on what it threw", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const reason = new Error("no");
    const failure = await failureOf(() =>
      journal.write((tx) => {
        tx.insertChildAsk(aChildAsk());
        tx.record(aDraft(), 1);
        throw reason;
      }),
    );
    expect(failure).toBe(reason);
    expect(journal.read.childAsk("perm-1")).toBeNull();
    expect(journal.read.head().n).toBe(0);
  });

  it("inside another is refused, and the outer one goes on", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      expect(() => journal.write(() => undefined)).toThrow(/inside another/);
      tx.insertChildAsk(aChildAsk());
    });
    expect(journal.read.childAsk("perm-1")).not.toBeNull();
  });

  it("with async work is refused and undone", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const failure = await failureOf(async () =>
      journal.write(async (tx) => {
        tx.insertChildAsk(aChildAsk());
      }),
    );
    expect(failure).toMatchObject({ message: textLike(/must not be async/) });
    expect(journal.read.childAsk("perm-1")).toBeNull();
  });

  it("cannot be made through a transaction that is over", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const leaked: JournalWrites = journal.write((tx) => tx);
    expect(() => leaked.insertChildAsk(aChildAsk())).toThrow(/outside its transaction/);
    expect(() => leaked.record(aDraft(), 1)).toThrow(/outside its transaction/);
    expect(journal.read.childAsk("perm-1")).toBeNull();
    expect(journal.read.head().n).toBe(0);
    expect(journal.write((tx) => tx.record(aDraft(), 1)).n).toBe(1);
    expect(chainFaults(journal)).toEqual([]);
  });

  it("fails by name when another program holds the file too long, and works when it lets go", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path, { busyTimeoutMs: 20 });
    using holder = new DatabaseSync(journal.file);
    holder.exec("BEGIN IMMEDIATE");
    expect(await failureOf(() => journal.write((tx) => tx.record(aDraft(), 1)))).toMatchObject({
      name: "JournalError",
      code: "journal_unwritable",
      file: journal.file,
      message: textLike(/stayed locked by another process/),
    });
    holder.exec("ROLLBACK");
    expect(journal.write((tx) => tx.record(aDraft(), 1)).n).toBe(1);
  });

  it("is refused when the file was removed while it was open", async () => {
    using folder = aFolder();
    const journal = await openAt(folder.path);
    rmSync(journal.file);
    expect(await failureOf(() => journal.write((tx) => tx.record(aDraft(), 1)))).toMatchObject({
      code: "journal_unwritable",
      message: textLike(/removed or replaced/),
    });
    await journal.close(false);
  });

  it("after the close is refused by name, as is a read", async () => {
    using folder = aFolder();
    const journal = await openAt(folder.path);
    await journal.close(false);
    await journal.close(true);
    const closed = { code: "journal_unwritable", message: textLike(/is closed/) };
    expect(await failureOf(() => journal.write(() => undefined))).toMatchObject(closed);
    expect(await failureOf(async () => journal.group(() => undefined))).toMatchObject(closed);
    expect(await failureOf(() => journal.read.head())).toMatchObject(closed);
  });
});

describe("a group commit of the journal", () => {
  it("resolves when others can read its work", async () => {
    using folder = aFolder();
    await using writer = await openAt(folder.path);
    await using reader = await openAt(folder.path);
    const done = writer.group((tx) => tx.insertChildAsk(aChildAsk()));
    expect(reader.read.childAsk("perm-1")).toBeNull();
    await done;
    expect(reader.read.childAsk("perm-1")).not.toBeNull();
  });

  it("makes one commit of all works of a turn, in their order", async () => {
    using folder = aFolder();
    const onSlowCommit = vi.fn<(ms: number) => void>();
    await using journal = await openAt(folder.path, { clock: slowClock(20_000), onSlowCommit });
    await Promise.all(
      Array.from({ length: 50 }, async (_, turn) =>
        journal.group((tx) => {
          tx.record(aDraft({ body: { turn } }), turn);
        }),
      ),
    );
    expect(onSlowCommit).toHaveBeenCalledTimes(1);
    expect(journal.read.outbox(1, 100).map((row) => bodyOf(row)["turn"])).toEqual(
      Array.from({ length: 50 }, (_, turn) => turn),
    );
  });

  it("commits works that cannot wait at the end of their turn, with all that was queued", async () => {
    using folder = aFolder();
    const still = { now: () => 0, monotonic: () => 0 };
    await using journal = await openAt(folder.path, { clock: still });
    await using reader = await openAt(folder.path);
    await journal.group((tx) => void tx.record(aDraft(), 0));
    const queued = journal.group((tx) => void tx.record(aDraft(), 1));
    const hurried = [
      journal.soon((tx) => void tx.record(aDraft(), 2)),
      journal.soon((tx) => void tx.record(aDraft(), 3)),
    ];
    expect(reader.read.head().n).toBe(1);
    await new Promise(setImmediate);
    expect(reader.read.head().n).toBe(4);
    await Promise.all([queued, ...hurried]);
  });

  it("keeps works coming turn after turn together while a commit is fresh", async () => {
    using folder = aFolder();
    const still = { now: () => 0, monotonic: () => 0 };
    await using journal = await openAt(folder.path, { clock: still });
    await using reader = await openAt(folder.path);
    const seen = new Set<number>();
    const works: Promise<void>[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      works.push(journal.group((tx) => void tx.record(aDraft(), turn)));
      await new Promise(setImmediate);
      seen.add(reader.read.head().n);
    }
    await Promise.all(works);
    expect(seen.size).toBeLessThan(20);
    expect(reader.read.head().n).toBe(20);
  });

  it("rejects alone the work that throws, without a gap in the chain", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const results = await Promise.allSettled([
      journal.group((tx) => void tx.record(aDraft(), 1)),
      journal.group((tx) => {
        tx.record(aDraft(), 2);
        tx.insertChildAsk(aChildAsk({ requestId: "perm-undone" }));
        throw new Error("spoilt");
      }),
      journal.group((tx) => {
        tx.record(aDraft(), 3);
        tx.insertChildAsk(aChildAsk({ requestId: "perm-kept" }));
      }),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(journal.read.childAsk("perm-undone")).toBeNull();
    expect(journal.read.childAsk("perm-kept")).not.toBeNull();
    expect(journal.read.head().n).toBe(2);
    expect(chainFaults(journal)).toEqual([]);
  });

  it("stands before a write that comes after it, also when that write throws", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const grouped = journal.group((tx) => void tx.record(aDraft({ body: { from: "group" } }), 1));
    expect(() =>
      journal.write((tx) => {
        tx.record(aDraft({ body: { from: "undone write" } }), 2);
        throw new Error("no");
      }),
    ).toThrow("no");
    journal.write((tx) => tx.record(aDraft({ body: { from: "write" } }), 3));
    await grouped;
    expect(journal.read.outbox(1, 10).map((row) => bodyOf(row)["from"])).toEqual([
      "group",
      "write",
    ]);
    expect(chainFaults(journal)).toEqual([]);
  });

  it("rejects every work of a commit that cannot be made", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path, { busyTimeoutMs: 20 });
    using holder = new DatabaseSync(journal.file);
    holder.exec("BEGIN IMMEDIATE");
    const results = await Promise.allSettled([
      journal.group((tx) => void tx.record(aDraft(), 1)),
      journal.group((tx) => void tx.record(aDraft(), 2)),
    ]);
    holder.exec("ROLLBACK");
    expect(results).toMatchObject([
      { status: "rejected", reason: { code: "journal_unwritable" } },
      { status: "rejected", reason: { code: "journal_unwritable" } },
    ]);
    expect(journal.read.head().n).toBe(0);
  });

  it("is made by a close that comes before its time", async () => {
    using folder = aFolder();
    const journal = await openAt(folder.path);
    const grouped = journal.group((tx) => tx.insertChildAsk(aChildAsk()));
    await journal.close(false);
    await grouped;
    await using after = await openAt(folder.path);
    expect(after.read.childAsk("perm-1")).not.toBeNull();
  });

  it("may be queued from within a transaction and is made after it", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const queued: Promise<void>[] = [];
    journal.write((tx) => {
      queued.push(journal.group((later) => void later.record(aDraft({ body: { at: 2 } }), 2)));
      tx.record(aDraft({ body: { at: 1 } }), 1);
    });
    await Promise.all(queued);
    expect(journal.read.outbox(1, 10).map((row) => bodyOf(row)["at"])).toEqual([1, 2]);
  });
});

describe("the alarm of slow commits", () => {
  it("is raised once for many slow commits within ten seconds, and again after them", async () => {
    using folder = aFolder();
    const onSlowCommit = vi.fn<(ms: number) => void>();
    await using journal = await openAt(folder.path, { clock: slowClock(), onSlowCommit });
    for (let turn = 0; turn < 10; turn += 1) journal.write((tx) => tx.record(aDraft(), turn));
    await vi.waitFor(() => expect(onSlowCommit).toHaveBeenCalledTimes(1));
    for (let turn = 0; turn < 20; turn += 1) journal.write((tx) => tx.record(aDraft(), turn));
    await vi.waitFor(() => expect(onSlowCommit).toHaveBeenCalledTimes(2));
  });

  it("is raised with the milliseconds a commit took, and not for a quick one", async () => {
    using folder = aFolder();
    const onSlowCommit = vi.fn<(ms: number) => void>();
    await using slow = await openAt(folder.path, { clock: slowClock(), onSlowCommit });
    slow.write((tx) => tx.record(aDraft(), 1));
    await vi.waitFor(() => expect(onSlowCommit).toHaveBeenCalledExactlyOnceWith(200));
    const still = { now: () => 0, monotonic: () => 0 };
    await using quick = await openAt(folder.path, { clock: still, onSlowCommit });
    quick.write((tx) => tx.record(aDraft(), 1));
    await Promise.resolve();
    expect(onSlowCommit).toHaveBeenCalledTimes(1);
  });
});

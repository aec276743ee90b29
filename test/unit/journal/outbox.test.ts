import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { aDraft, aFolder, openAt } from "../../support/journal-parts.ts";
import { bodyOf, chainFaults, headerOf } from "../../support/record-chain.ts";
import { textLike } from "../../support/text-like.ts";

describe("the outbox of a session's journal", () => {
  it("the first record points at nothing and says who wrote what, when", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const draft = aDraft({ kind: "decision", requestId: "perm-1", body: { surface: "bash" } });
    const header = journal.write((tx) => tx.record(draft, 1_234));
    expect(header).toEqual({
      eventId: textLike(/^[0-9a-f]{32}$/),
      session: "session-1",
      n: 1,
      prev: null,
      kind: "decision",
      time: 1_234,
      requestId: "perm-1",
      incarnation: journal.incarnation,
      bodyDigest: textLike(/^[A-Za-z0-9_-]{43}$/),
    });
    const rows = journal.read.outbox(1, 10);
    expect(rows).toMatchObject([{ n: 1, ackedAt: null }]);
    expect(rows.map((row) => row.salt.length)).toEqual([16]);
    expect(rows.map(headerOf)).toEqual([header]);
    expect(rows.map(bodyOf)).toEqual([{ surface: "bash" }]);
  });

  it("before the first record the head is at 0 without a hash", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    expect(journal.read.head()).toEqual({ n: 0, hash: "" });
    expect(journal.read.outboxSize()).toEqual({ rows: 0, bytes: 0 });
  });

  it("two processes and a restart share one chain without a gap", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    const second = await openAt(folder.path);
    for (const journal of [first, second, second, first, second, first, first, first]) {
      journal.write((tx) => {
        tx.record(aDraft(), 1);
        tx.record(aDraft(), 2);
      });
    }
    await first.close(true);
    await second.close(true);
    await using third = await openAt(folder.path);
    third.write((tx) => tx.record(aDraft(), 99));
    expect(third.read.head().n).toBe(17);
    expect(chainFaults(third)).toEqual([]);
  });

  it("a record of work that threw leaves no trace in the chain", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.record(aDraft(), 1));
    expect(() =>
      journal.write((tx) => {
        tx.record(aDraft(), 2);
        throw new Error("changed its mind");
      }),
    ).toThrow("changed its mind");
    expect(journal.write((tx) => tx.record(aDraft(), 3)).n).toBe(2);
    expect(chainFaults(journal)).toEqual([]);
  });

  it("a body that cannot be written as JSON takes no place", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    expect(() => journal.write((tx) => tx.record(aDraft({ body: { big: 1n } }), 1))).toThrow(
      TypeError,
    );
    expect(journal.read.head().n).toBe(0);
  });

  it("inside a transaction the head and the size are those of its own records", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const inside = journal.write((tx) => {
      tx.record(aDraft(), 1);
      tx.record(aDraft(), 2);
      return { head: tx.head(), size: tx.outboxSize() };
    });
    expect(inside).toEqual({ head: journal.read.head(), size: journal.read.outboxSize() });
    expect(inside.head.n).toBe(2);
  });

  it("the pump reads from a place on, at most as many as it asks for", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 5; time += 1) tx.record(aDraft(), time);
    });
    expect(journal.read.outbox(2, 3).map((row) => row.n)).toEqual([2, 3, 4]);
    expect(journal.read.outbox(6, 3)).toEqual([]);
  });

  it("an acknowledgement covers all records up to it and never moves an earlier time", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 4; time += 1) tx.record(aDraft(), time);
      tx.ackOutbox(2, 100);
    });
    journal.write((tx) => tx.ackOutbox(3, 200));
    journal.write((tx) => tx.ackOutbox(1, 300));
    expect(journal.read.outbox(1, 10).map((row) => row.ackedAt)).toEqual([100, 100, 200, null]);
  });

  it("an acknowledgement beyond the head does not cover records to come", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.record(aDraft(), 1);
      tx.ackOutbox(50, 100);
      tx.record(aDraft(), 2);
    });
    expect(journal.read.outbox(1, 10).map((row) => row.ackedAt)).toEqual([100, null]);
  });

  it("only records acknowledged before a time leave, and the chain goes on behind them", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 4; time += 1) tx.record(aDraft(), time);
      tx.ackOutbox(1, 100);
      tx.ackOutbox(2, 200);
    });
    expect(journal.write((tx) => tx.trimOutbox(200))).toBe(1);
    expect(journal.write((tx) => tx.trimOutbox(200))).toBe(0);
    expect(journal.read.outbox(1, 10).map((row) => row.n)).toEqual([2, 3, 4]);
    expect(journal.write((tx) => tx.trimOutbox(1_000))).toBe(1);
    const left = journal.read.outbox(1, 10);
    expect(journal.read.outboxSize()).toEqual({
      rows: 2,
      bytes: left.reduce((sum, r) => sum + r.header.length + r.salt.length + r.body.length, 0),
    });
    const before = journal.read.head();
    const next = journal.write((tx) => tx.record(aDraft(), 5));
    expect(next).toMatchObject({ n: 5, prev: before.hash });
  });

  it("the chain goes on after the whole outbox was trimmed and the session opened anew", async () => {
    using folder = aFolder();
    const before = await openAt(folder.path);
    before.write((tx) => {
      tx.record(aDraft(), 1);
      tx.ackOutbox(1, 2);
      tx.trimOutbox(3);
    });
    const head = before.read.head();
    await before.close(true);
    await using after = await openAt(folder.path);
    expect(after.read.outboxSize()).toEqual({ rows: 0, bytes: 0 });
    expect(after.write((tx) => tx.record(aDraft(), 4))).toMatchObject({ n: 2, prev: head.hash });
  });

  it("a record that was set aside holds up no trimming and stays whole", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 3; time += 1) tx.record(aDraft(), time);
      tx.parkOutbox(1, "too large");
      tx.ackOutbox(3, 100);
    });
    expect(journal.read.outboxState()).toEqual({ firstN: 2, ackedN: 3, parked: 1 });
    expect(journal.write((tx) => tx.trimOutbox(200))).toBe(2);
    expect(journal.read.outbox(1, 9)).toMatchObject([{ n: 1, parked: "too large" }]);
    expect(journal.read.parked(9).map(({ n }) => n)).toEqual([1]);
    expect(journal.read.outboxState()).toEqual({ firstN: 4, ackedN: 3, parked: 1 });
    journal.write((tx) => tx.dropParked(1));
    expect(journal.read.outboxSize()).toEqual({ rows: 0, bytes: 0 });
  });

  it("a record that was not set aside is not dropped as such", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.record(aDraft(), 1);
      tx.dropParked(1);
    });
    expect(journal.read.outboxSize().rows).toBe(1);
  });

  it("acknowledgements given again count from the later time", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 3; time += 1) tx.record(aDraft(), time);
      tx.ackOutbox(1, 100);
      tx.ackOutbox(2, 200);
      tx.ackOutbox(3, 300);
      tx.renewOutbox(2, 900);
    });
    expect(journal.read.outbox(1, 9).map(({ ackedAt }) => ackedAt)).toEqual([900, 900, 300]);
    expect(journal.write((tx) => tx.trimOutbox(500))).toBe(0);
  });

  it("trimming goes no further than it is told", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (let time = 1; time <= 4; time += 1) tx.record(aDraft(), time);
      tx.ackOutbox(4, 100);
    });
    expect(journal.write((tx) => tx.trimOutbox(200, 3))).toBe(3);
    expect(journal.read.outbox(1, 9)).toMatchObject([{ n: 4, ackedAt: 100 }]);
  });

  it("a body that no stream takes is replaced by its size and digest under the same place", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const body = { event: "permission_request.waiting", text: "x".repeat(500_000) };
    journal.write((tx) => tx.record(aDraft({ requestId: "perm-1", body }), 1));
    expect(journal.read.outbox(1, 1).map(bodyOf)).toEqual([
      {
        event: "audit.oversize",
        requestId: "perm-1",
        of: "permission_request.waiting",
        digest: textLike(/^[A-Za-z0-9_-]{43}$/),
        size: Buffer.byteLength(JSON.stringify(body)),
      },
    ]);
    expect(chainFaults(journal)).toEqual([]);
  });

  it("a full outbox takes no record of an ask, still those of the session itself, and says why", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.record(aDraft(), 1));
    const file = new DatabaseSync(journal.file);
    file.exec("UPDATE chain SET bytes = 1073741824");
    file.close();
    expect(() => journal.write((tx) => tx.record(aDraft({ requestId: "perm-1" }), 2))).toThrow(
      expect.objectContaining({
        code: "journal_full",
        message: expect.stringContaining("askfabric doctor") as string,
      }) as Error,
    );
    expect(journal.write((tx) => tx.record(aDraft(), 3)).n).toBe(2);
  });
});

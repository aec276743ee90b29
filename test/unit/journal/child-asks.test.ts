import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { aChildAsk, aFolder, openAt } from "../../support/journal-parts.ts";

const LOST = { outcome: "lost", decisionDigest: null, lost: "timed_out", endedAt: 5_000 } as const;
const ALLOWED = { outcome: "allowed", decisionDigest: "d-1", lost: null, endedAt: 4_000 } as const;

/** Gives a file the table of asks that version 3 had, with one open and one ended ask in it. */
function backToVersion3(file: string): void {
  using database = new DatabaseSync(file);
  database.exec(`
    DROP TABLE child_ask;
    CREATE TABLE child_ask (
      request_id TEXT PRIMARY KEY,
      parent TEXT NOT NULL,
      ask_digest TEXT NOT NULL,
      created_at INTEGER NOT NULL,
      expires_at INTEGER NOT NULL,
      owner TEXT NOT NULL,
      outcome TEXT CHECK (outcome IN ('allowed', 'denied', 'lost')),
      decision_digest TEXT,
      lost TEXT,
      ended_at INTEGER
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX child_ask_open ON child_ask (created_at) WHERE outcome IS NULL;
    CREATE INDEX child_ask_ended ON child_ask (expires_at) WHERE outcome IS NOT NULL;
    INSERT INTO child_ask VALUES
      ('perm-1', 'lead', 'a-1', 1000, 2000, '1.dead', NULL, NULL, NULL, NULL),
      ('perm-2', 'lead', 'a-2', 900, 1900, '1.dead', 'allowed', 'd-1', NULL, 4000);
    PRAGMA user_version = 3;
  `);
}

describe("asks of a child in its journal", () => {
  it("a child finds the asks that an earlier version of the program wrote", async () => {
    using folder = aFolder();
    const before = await openAt(folder.path);
    await before.close(true);
    backToVersion3(before.file);
    await using journal = await openAt(folder.path);
    expect(journal.read.orphans().map(({ requestId }) => requestId)).toEqual(["perm-1"]);
    expect(journal.read.childAsk("perm-2")).toEqual({
      requestId: "perm-2",
      parent: "lead",
      askDigest: "a-2",
      createdAt: 900,
      expiresAt: 1900,
      owner: "1.dead",
      passedOn: false,
      end: ALLOWED,
    });
  });

  it("a child reads back the open ask it wrote, under its own owner name", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(journal.read.childAsk("perm-1")).toEqual({
      ...aChildAsk(),
      owner: journal.owner,
      passedOn: false,
      end: null,
    });
    expect(journal.read.childAsk("perm-2")).toBeNull();
  });

  it("the first end of an ask stands and a second changes nothing", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(journal.write((tx) => tx.endChildAsk("perm-1", ALLOWED))).toBe(true);
    expect(journal.write((tx) => tx.endChildAsk("perm-1", LOST))).toBe(false);
    expect(journal.read.childAsk("perm-1")?.end).toEqual(ALLOWED);
  });

  it("an unknown ask is not ended", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    expect(journal.write((tx) => tx.endChildAsk("perm-1", LOST))).toBe(false);
  });

  it("of two processes that end one ask, one is told that its end stands", async () => {
    using folder = aFolder();
    await using first = await openAt(folder.path);
    await using second = await openAt(folder.path);
    first.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(second.write((tx) => tx.endChildAsk("perm-1", ALLOWED))).toBe(true);
    expect(first.write((tx) => tx.endChildAsk("perm-1", LOST))).toBe(false);
    expect(first.read.childAsk("perm-1")?.end).toEqual(ALLOWED);
  });

  it("an open ask moves to another parent and an ended one stays where it was decided", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    journal.write((tx) => tx.moveChildAsk("perm-1", { parent: "parent-2", askDigest: "d2" }));
    journal.write((tx) => tx.endChildAsk("perm-1", LOST));
    journal.write((tx) => tx.moveChildAsk("perm-1", { parent: "parent-3", askDigest: "d3" }));
    expect(journal.read.childAsk("perm-1")).toMatchObject({ parent: "parent-2", askDigest: "d2" });
  });

  it("a second ask under a taken id is refused and the first stays", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(() =>
      journal.write((tx) => tx.insertChildAsk(aChildAsk({ askDigest: "other" }))),
    ).toThrow(/UNIQUE/);
    expect(journal.read.childAsk("perm-1")?.askDigest).toBe("digest-1");
  });

  it("times with a fraction of a millisecond are kept whole", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk({ createdAt: 1000.4, expiresAt: 2000.6 })));
    expect(journal.read.childAsk("perm-1")).toMatchObject({ createdAt: 1000, expiresAt: 2001 });
  });
});

describe("orphans in a child's journal", () => {
  it("an open ask whose process left is an orphan, its own and ended ones are not", async () => {
    using folder = aFolder();
    const gone = await openAt(folder.path);
    gone.write((tx) => {
      tx.insertChildAsk(aChildAsk({ requestId: "perm-b", createdAt: 2_000 }));
      tx.insertChildAsk(aChildAsk({ requestId: "perm-a", createdAt: 3_000 }));
      tx.insertChildAsk(aChildAsk({ requestId: "perm-ended" }));
      tx.endChildAsk("perm-ended", LOST);
    });
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.insertChildAsk(aChildAsk({ requestId: "perm-own" })));
    expect(journal.read.orphans()).toEqual([]);
    await gone.close(false);
    expect(journal.read.orphans().map((ask) => ask.requestId)).toEqual(["perm-b", "perm-a"]);
  });

  it("another journal open in the same process is no orphan's owner", async () => {
    using folder = aFolder();
    await using first = await openAt(folder.path);
    first.write((tx) => tx.insertChildAsk(aChildAsk()));
    for (let round = 0; round < 3; round += 1) {
      await using other = await openAt(folder.path);
      expect(other.read.orphans()).toEqual([]);
    }
  });

  it("an orphan that is ended is none any more", async () => {
    using folder = aFolder();
    const gone = await openAt(folder.path);
    gone.write((tx) => tx.insertChildAsk(aChildAsk()));
    await gone.close(false);
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (const orphan of tx.orphans()) tx.endChildAsk(orphan.requestId, LOST);
    });
    expect(journal.read.orphans()).toEqual([]);
  });
});

describe("cancels queued in a child's journal", () => {
  it("a cancel waits until its parent answered, each parent for itself", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const one = { requestId: "perm-1", parent: "parent-1", why: "failover", queuedAt: 2 } as const;
    const two = { requestId: "perm-1", parent: "parent-2", why: "aborted", queuedAt: 1 } as const;
    journal.write((tx) => {
      tx.queueCancel(one);
      tx.queueCancel(two);
    });
    expect(journal.read.queuedCancels()).toEqual([two, one]);
    journal.write((tx) => tx.dropCancel("perm-1", "parent-2"));
    expect(journal.read.queuedCancels()).toEqual([one]);
  });

  it("a cancel queued again keeps its first reason", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const first = { requestId: "perm-1", parent: "parent-1", why: "aborted", queuedAt: 1 } as const;
    journal.write((tx) => tx.queueCancel(first));
    journal.write((tx) => tx.queueCancel({ ...first, why: "timed_out", queuedAt: 9 }));
    expect(journal.read.queuedCancels()).toEqual([first]);
  });
});

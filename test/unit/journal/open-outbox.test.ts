import { describe, expect, it } from "vitest";
import { tryLeftoversLock } from "../../../src/journal/leftovers-lock.ts";
import { idleJournals, openOutbox } from "../../../src/journal/open-outbox.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../../support/journal-parts.ts";

const clock = REAL_CLOCK;

describe("an outbox opened by itself", () => {
  it("shares the records with the journal that is open, and begins no incarnation", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.record(aDraft(), 1));
    using outbox = await openOutbox({ folder: folder.path, session: "session-1", clock });
    expect(outbox?.session).toBe("session-1");
    expect(outbox?.read.outbox(1, 9).map(({ n }) => n)).toEqual([1]);
    journal.write((tx) => tx.record(aDraft(), 2));
    outbox?.write((tx) => tx.ackOutbox(2, 50));
    expect(journal.read.outbox(1, 9).map(({ ackedAt }) => ackedAt)).toEqual([50, 50]);
    await using next = await openAt(folder.path);
    expect(next.incarnation).toMatch(/^2\./);
  });

  it("is null where no journal is", async () => {
    using folder = aFolder();
    expect(await openOutbox({ folder: folder.path, session: "session-1", clock })).toBeNull();
  });

  it("ends no session life when it is closed", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    await first.close(false);
    const outbox = await openOutbox({ folder: folder.path, session: "session-1", clock });
    outbox?.close();
    await using second = await openAt(folder.path);
    expect(second.life).toBe(first.life);
  });
});

describe("the journals of a data folder that nobody has open", () => {
  it("are those whose processes are gone", async () => {
    using folder = aFolder();
    const gone = await openAt(folder.path, { session: "gone" });
    await gone.close(false);
    await using _lives = await openAt(folder.path, { session: "lives" });
    const idle = idleJournals(folder.path);
    expect(idle.map(({ file }) => file)).toEqual([gone.file]);
    const outboxes = await Promise.all(idle.map(async (journal) => journal.open(clock)));
    expect(outboxes.map((outbox) => outbox?.session)).toEqual(["gone"]);
    for (const outbox of outboxes) outbox?.close();
  });

  it("are none in a folder that is not there", () => {
    expect(idleJournals("/nonexistent/data")).toEqual([]);
  });

  it("say when a process has come back", async () => {
    using folder = aFolder();
    const gone = await openAt(folder.path);
    await gone.close(false);
    const [journal] = idleJournals(folder.path);
    expect(journal?.lives()).toBe(false);
    await using _back = await openAt(folder.path);
    expect(journal?.lives()).toBe(true);
  });
});

describe("the right to ship what others left", () => {
  it("has one holder at a time", () => {
    using folder = aFolder();
    const held = tryLeftoversLock(folder.path);
    expect(held).not.toBeNull();
    expect(tryLeftoversLock(folder.path)).toBeNull();
    held?.release();
    const next = tryLeftoversLock(folder.path);
    expect(next).not.toBeNull();
    next?.release();
  });
});

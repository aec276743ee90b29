import { describe, expect, it } from "vitest";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { aChildAsk, aFolder, REAL_CLOCK } from "../../support/journal-parts.ts";

const LOST = { outcome: "lost", decisionDigest: null, lost: "timed_out", endedAt: 5_000 } as const;
const ALLOWED = { outcome: "allowed", decisionDigest: "d-1", lost: null, endedAt: 4_000 } as const;

describe("asks of a child in the journal", () => {
  it("a child reads back the open ask it wrote, under its own owner name", async () => {
    using folder = aFolder();
    await using journal = await openJournal({
      folder: folder.path,
      session: "child-1",
      clock: REAL_CLOCK,
    });
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(journal.read.childAsk("perm-1")).toEqual({
      ...aChildAsk(),
      owner: journal.owner,
      end: null,
    });
    expect(journal.read.childAsk("perm-2")).toBeNull();
  });

  it("the first end of an ask stands and a second changes nothing", async () => {
    using folder = aFolder();
    await using journal = await openJournal({
      folder: folder.path,
      session: "child-1",
      clock: REAL_CLOCK,
    });
    journal.write((tx) => tx.insertChildAsk(aChildAsk()));
    expect(journal.write((tx) => tx.endChildAsk("perm-1", ALLOWED))).toBe(true);
    expect(journal.write((tx) => tx.endChildAsk("perm-1", LOST))).toBe(false);
    expect(journal.write((tx) => tx.endChildAsk("perm-2", LOST))).toBe(false);
    expect(journal.read.childAsk("perm-1")?.end).toEqual(ALLOWED);
  });
});

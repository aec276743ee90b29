import { describe, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../../src/ask/defaults.ts";
import type { NewPassedAsk } from "../../../src/journal/journal.ts";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { aChildAsk, aFolder, aServedAsk } from "../../support/journal-parts.ts";

const openAt = async (folder: string): ReturnType<typeof openJournal> =>
  openJournal({ folder, session: "mid", clock: SYSTEM_CLOCK });

const passed = (text: string, of: Partial<NewPassedAsk> = {}): NewPassedAsk => ({
  ...aChildAsk(),
  body: Buffer.from(text),
  ...of,
});

const ENDED = { kind: "withdrawn", answer: "{}", endedAt: 9 } as const;
const LOST = { outcome: "lost", decisionDigest: null, lost: "cancelled", endedAt: 9 } as const;

describe("asks that a relay passed on, in its journal", () => {
  it("keep their bytes while they are open, and not a moment longer", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    expect(journal.write((tx) => tx.passOnAsk(passed("the very bytes")))).toBe(true);
    expect(journal.read.passedBody("perm-1")).toEqual(
      new Uint8Array(Buffer.from("the very bytes")),
    );
    expect(journal.read.childAsk("perm-1")).toMatchObject({ passedOn: true, end: null });
    journal.write((tx) => tx.endChildAsk("perm-1", LOST));
    expect(journal.read.passedBody("perm-1")).toBeNull();
    expect(journal.read.childAsk("perm-1")).toMatchObject({ passedOn: true, end: LOST });
  });

  it("wait for the next relay when their process is dead, and are no orphans", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    first.write((tx) => {
      tx.passOnAsk(passed("the very bytes"));
      tx.insertServedAsk(aServedAsk());
    });
    await first.close(false);
    await using second = await openAt(folder.path);
    expect(second.read.orphans()).toEqual([]);
    expect(second.read.outlivedPassedAsks()).toEqual([]);
    second.write((tx) => tx.passOnAsk(passed("others", { parent: "parent-2" })));
    expect(second.read.childAsk("perm-1")).toMatchObject({
      owner: second.owner,
      parent: "parent-2",
    });
  });

  it("never take the place of an own ask of the session, nor of one that has ended", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.insertChildAsk(aChildAsk());
      tx.passOnAsk(passed("x", { requestId: "perm-2" }));
      tx.endChildAsk("perm-2", LOST);
    });
    journal.write((tx) => {
      expect(tx.passOnAsk(passed("y"))).toBe(false);
      expect(tx.passOnAsk(passed("y", { requestId: "perm-2" }))).toBe(false);
    });
    expect(journal.read.childAsk("perm-1")).toMatchObject({ passedOn: false });
    expect(journal.read.childAsk("perm-2")).toMatchObject({ end: LOST });
  });

  it("are outlived as soon as the ask below has ended, or is not there", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      for (const requestId of ["perm-1", "perm-2", "perm-3"]) {
        tx.passOnAsk(passed("x", { requestId }));
      }
      tx.insertServedAsk(aServedAsk());
      tx.insertServedAsk(aServedAsk({ requestId: "perm-2" }));
      tx.endServedAsk("perm-2", ENDED);
    });
    const ids = journal.read.outlivedPassedAsks().map(({ requestId }) => requestId);
    expect(ids.toSorted()).toEqual(["perm-2", "perm-3"]);
  });
});

import { expect, it } from "vitest";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { readGrants } from "../../../src/journal/read-grants.ts";
import { aFolder, aGrant, REAL_CLOCK } from "../../support/journal-parts.ts";

const far = { grantedAt: 1, expiresAt: 2_000_000_000_000 };

it("the grants of a session are read beside the process that holds its journal", async () => {
  using folder = aFolder();
  await using journal = await openJournal({
    folder: folder.path,
    session: "kid-1",
    clock: REAL_CLOCK,
  });
  journal.write((tx) => tx.addGrant(aGrant(far)));
  journal.write((tx) => tx.addGrant(aGrant({ grantId: "over", grantedAt: 1, expiresAt: 2 })));
  const found = readGrants(folder.path, "kid-1", 3);
  expect(found.map(({ grantId }) => grantId)).toEqual([aGrant().grantId]);
});

it("a session that ended in order, or never was, has no grants", async () => {
  using folder = aFolder();
  const journal = await openJournal({ folder: folder.path, session: "kid-1", clock: REAL_CLOCK });
  journal.write((tx) => tx.addGrant(aGrant(far)));
  await journal.close(true);
  expect(readGrants(folder.path, "kid-1", 3)).toEqual([]);
  expect(readGrants(folder.path, "nobody", 3)).toEqual([]);
});

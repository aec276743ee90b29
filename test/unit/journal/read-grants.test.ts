import { expect, it } from "vitest";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { readAllGrants, readGrants } from "../../../src/journal/read-grants.ts";
import { aFolder, aGrant, REAL_CLOCK } from "../../support/journal-parts.ts";

const of = { now: 3, scope: "child_session" } as const;
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
  const found = readGrants(folder.path, "kid-1", of);
  expect(found.map(({ grantId }) => grantId)).toEqual([aGrant().grantId]);
});

it("a session that ended in order, or never was, has no grants", async () => {
  using folder = aFolder();
  const journal = await openJournal({ folder: folder.path, session: "kid-1", clock: REAL_CLOCK });
  journal.write((tx) => tx.addGrant(aGrant(far)));
  await journal.close(true);
  expect(readGrants(folder.path, "kid-1", of)).toEqual([]);
  expect(readGrants(folder.path, "nobody", of)).toEqual([]);
});

it("a session's grants as an asker and as a server are kept apart, and a list shows both", async () => {
  using folder = aFolder();
  const open = async (session: string) =>
    openJournal({ folder: folder.path, session, clock: REAL_CLOCK });
  await using mid = await open("mid");
  await using lead = await open("lead");
  mid.write((tx) => {
    tx.addGrant(aGrant({ ...far, grantId: "served", scope: "serving_session", grantedAt: 2 }));
    tx.addGrant(aGrant({ ...far, grantId: "asked" }));
  });
  lead.write((tx) => tx.addGrant(aGrant({ ...far, grantId: "other" })));
  const idsOf = (grants: readonly { readonly grantId: string }[]) =>
    grants.map(({ grantId }) => grantId);
  expect(idsOf(readGrants(folder.path, "mid", of))).toEqual(["asked"]);
  expect(idsOf(readGrants(folder.path, "mid", { ...of, scope: "serving_session" }))).toEqual([
    "served",
  ]);
  const all = readAllGrants(folder.path, 3).map(({ session, grants }) => [session, idsOf(grants)]);
  expect(new Map(all as [string, string[]][])).toEqual(
    new Map([
      ["mid", ["asked", "served"]],
      ["lead", ["other"]],
    ]),
  );
});

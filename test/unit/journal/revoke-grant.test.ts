import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { revokeGrant } from "../../../src/journal/revoke-grant.ts";
import { aDraft, aFolder, aGrant, openAt, REAL_CLOCK } from "../../support/journal-parts.ts";
import { chainFaults, headerOf } from "../../support/record-chain.ts";

const standing = aGrant({ expiresAt: Number.MAX_SAFE_INTEGER });

const request = (folder: string, grantId = standing.grantId) => ({
  folder,
  session: "session-1",
  grantId,
  clock: REAL_CLOCK,
  draft: () => aDraft({ body: { event: "grant.revoked", grantId } }),
});

describe("a grant that is revoked from outside", () => {
  it("is gone for the process that has the journal open, with a record in its chain", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.addGrant(standing);
      tx.record(aDraft(), 1);
    });
    await expect(revokeGrant(request(folder.path))).resolves.toEqual(standing);
    expect(journal.read.grant(standing.grantId)).toBeNull();
    journal.write((tx) => tx.record(aDraft(), 2));
    const rows = journal.read.outbox(1, 10);
    expect(rows.map(({ n }) => n)).toEqual([1, 2, 3]);
    expect(chainFaults(journal)).toEqual([]);
    const incarnations = rows.map((row) => headerOf(row).incarnation);
    expect(incarnations[0]).toBe(incarnations[2]);
    expect(incarnations[1]).toMatch(/^2\./);
  });

  it("is revoked once, and an unknown or expired one not at all", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => {
      tx.addGrant(standing);
      tx.addGrant(aGrant({ grantId: "over" }));
    });
    await revokeGrant(request(folder.path));
    for (const id of [standing.grantId, "over", "unknown"]) {
      await expect(revokeGrant(request(folder.path, id))).resolves.toBeNull();
    }
    await expect(revokeGrant({ ...request(folder.path), session: "nobody" })).resolves.toBeNull();
    expect(journal.read.outbox(1, 10)).toHaveLength(1);
  });

  it("ends no life and begins none: the session goes on where it was", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    const kept = aGrant({ ...standing, grantId: "kept" });
    first.write((tx) => {
      tx.addGrant(standing);
      tx.addGrant(kept);
    });
    await first.close(false);
    await revokeGrant(request(folder.path));
    await using second = await openAt(folder.path);
    expect(second.life).toBe(first.life);
    expect(second.read.grants(2_000, "child_session")).toEqual([kept]);
  });

  it("stays when its record cannot be made", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.addGrant(standing));
    const draft = (): never => {
      throw new Error("no record");
    };
    await expect(revokeGrant({ ...request(folder.path), draft })).rejects.toThrow("no record");
    expect(journal.read.grant(standing.grantId)).toEqual(standing);
  });
});

it("grants of a journal without scopes are dropped when it is brought up to date", async () => {
  using folder = aFolder();
  const before = await openAt(folder.path);
  before.write((tx) => tx.addGrant(standing));
  const { file } = before;
  await before.close(false);
  const database = new DatabaseSync(file);
  database.exec("ALTER TABLE session_grant DROP COLUMN scope; PRAGMA user_version = 2");
  database.close();
  await using journal = await openAt(folder.path);
  expect(journal.read.grants(2_000, "child_session")).toEqual([]);
  expect(journal.read.grants(2_000, "serving_session")).toEqual([]);
});

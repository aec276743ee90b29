import { describe, expect, it } from "vitest";
import { aFolder, aGrant, openAt } from "../../support/journal-parts.ts";

describe("grants in a session's journal", () => {
  it("grants come in the order they were given, until they expire", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const first = aGrant({ grantId: "z", expiresAt: 5_000 });
    const second = aGrant({ grantId: "a", grantedBy: "op-1", width: "family" });
    journal.write((tx) => {
      tx.addGrant(first);
      tx.addGrant(second);
    });
    expect(journal.read.grants(4_999, "child_session")).toEqual([first, second]);
    expect(journal.read.grants(5_000, "child_session")).toEqual([second]);
  });

  it("each use is counted", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.addGrant(aGrant()));
    journal.write((tx) => tx.countGrantUse("grant-1"));
    journal.write((tx) => tx.countGrantUse("grant-1"));
    expect(journal.read.grants(2_000, "child_session")).toEqual([aGrant({ uses: 2 })]);
  });

  it("a revoked grant is gone and cannot be revoked again", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.addGrant(aGrant()));
    expect(journal.write((tx) => tx.revokeGrant("grant-1"))).toBe(true);
    expect(journal.write((tx) => tx.revokeGrant("grant-1"))).toBe(false);
    expect(journal.read.grants(2_000, "child_session")).toEqual([]);
  });

  it("a pattern with control characters comes back whole, never as a shorter one", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const grant = aGrant({ pattern: "rm \u0000\u00010*" });
    journal.write((tx) => tx.addGrant(grant));
    expect(journal.read.grants(2_000, "child_session")).toEqual([grant]);
  });

  it("expired grants are taken out once, of one scope", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    const over = aGrant({ grantId: "over", expiresAt: 5_000 });
    const other = aGrant({ grantId: "other", expiresAt: 5_000, scope: "serving_session" });
    journal.write((tx) => {
      for (const grant of [over, other, aGrant()]) tx.addGrant(grant);
    });
    expect(journal.write((tx) => tx.takeExpiredGrants(4_999, "child_session"))).toEqual([]);
    expect(journal.write((tx) => tx.takeExpiredGrants(5_000, "child_session"))).toEqual([over]);
    expect(journal.write((tx) => tx.takeExpiredGrants(5_000, "child_session"))).toEqual([]);
    expect(journal.read.grant("over")).toBeNull();
    expect(journal.read.grant("other")).toEqual(other);
  });

  it("a grant is of use to its own scope alone", async () => {
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    journal.write((tx) => tx.addGrant(aGrant()));
    expect(journal.read.grants(2_000, "serving_session")).toEqual([]);
  });

  it("grants outlive a crash and not a clean end", async () => {
    using folder = aFolder();
    const first = await openAt(folder.path);
    first.write((tx) => tx.addGrant(aGrant()));
    await first.close(false);
    const second = await openAt(folder.path);
    expect(second.read.grants(2_000, "child_session")).toHaveLength(1);
    await second.close(true);
    await using third = await openAt(folder.path);
    expect(third.read.grants(2_000, "child_session")).toEqual([]);
    expect(third.write((tx) => tx.revokeGrant("grant-1"))).toBe(false);
  });
});

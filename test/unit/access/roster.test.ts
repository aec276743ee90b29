import { describe, expect, it } from "vitest";
import { nkeyAccounts } from "../../../src/access/nkey-accounts.ts";
import {
  attestedAgents,
  counts,
  parseRoster,
  type Roster,
  type RosterEntry,
  revocationsOf,
  withEntry,
  withoutName,
} from "../../../src/access/roster.ts";
import { mintKey } from "../../../src/wire/nkey.ts";

const anEntry = (changes: Partial<RosterEntry> = {}): RosterEntry => ({
  name: "worker-1",
  role: "session",
  publicKey: mintKey("user").key.publicKey,
  agents: [],
  issuedAt: 1_000,
  expiresAt: null,
  revokedAt: null,
  ...changes,
});

const aRoster = (...entries: readonly RosterEntry[]): Roster => ({
  version: 1,
  mode: "nkeys",
  fleet: "default",
  url: "nats://127.0.0.1:4222",
  entries,
});

describe("a roster", () => {
  it("reads what it wrote, and says what is wrong with anything else", () => {
    const roster = aRoster(anEntry());
    expect(parseRoster(JSON.stringify(roster))).toEqual(roster);
    expect(parseRoster("{")).toBe("it is no JSON");
    expect(parseRoster(JSON.stringify({ ...roster, mode: "magic" }))).toMatch(/^mode: /);
    const broken = { ...anEntry(), publicKey: "U" };
    expect(parseRoster(JSON.stringify(aRoster(broken)))).toMatch(/^entries\.0\.publicKey: /);
  });

  it("gives a name one role: an operator cannot be a session", () => {
    const roster = aRoster(anEntry({ name: "alice", role: "operator" }));
    expect(() => withEntry(roster, anEntry({ name: "alice" }))).toThrow(
      '"alice" is a operator and cannot be a session as well',
    );
  });

  it("keeps the role of a name whose credential was revoked", () => {
    const revoked = anEntry({ name: "alice", role: "operator", revokedAt: 2_000 });
    expect(() => withEntry(aRoster(revoked), anEntry({ name: "alice" }))).toThrow("cannot be a");
  });

  it("lets neither a revoked nor an expired credential count", () => {
    expect(counts(anEntry(), 5_000)).toBe(true);
    expect(counts(anEntry({ expiresAt: 5_001 }), 5_000)).toBe(true);
    expect(counts(anEntry({ expiresAt: 5_000 }), 5_000)).toBe(false);
    expect(counts(anEntry({ revokedAt: 1_500 }), 5_000)).toBe(false);
  });

  it("revokes all of a name, or all but the newest", () => {
    const [first, second] = [anEntry(), anEntry()];
    const both = aRoster(first, second, anEntry({ name: "lead" }));
    const old = withoutName(both, "worker-1", { now: 9_000, onlyOld: true });
    expect(old.entries.map(({ revokedAt }) => revokedAt)).toEqual([9_000, null, null]);
    const all = withoutName(both, "worker-1", { now: 9_000, onlyOld: false });
    expect(all.entries.map(({ revokedAt }) => revokedAt)).toEqual([9_000, 9_000, null]);
    expect(() => withoutName(all, "worker-1", { now: 9_500, onlyOld: false })).toThrow(
      '"worker-1" has no credential that counts',
    );
  });

  it("attests an agent name to a session that counts, and to nobody else", () => {
    const attested = attestedAgents(
      aRoster(
        anEntry({ agents: ["builder"] }),
        anEntry({ name: "alice", role: "operator", agents: ["builder"] }),
        anEntry({ name: "gone", agents: ["builder"], revokedAt: 2_000 }),
        anEntry({ name: "plain" }),
      ),
      3_000,
    );
    expect([...attested]).toEqual([["worker-1", "builder"]]);
  });

  it("tells the server of a revocation from the second after it", () => {
    const entry = anEntry({ revokedAt: 1_800_000_000_001 });
    const { fleet, audit } = revocationsOf(aRoster(entry));
    expect(fleet).toEqual({ [entry.publicKey]: 1_800_000_001 });
    expect(audit).toEqual({});
  });

  it("denies all publishing to a role that publishes nothing: an empty list would allow it", () => {
    const text = nkeyAccounts(aRoster(anEntry({ name: "olga", role: "observer" })), 3_000);
    expect(text).toContain('publish: { deny: [">"] }');
  });

  it("puts only what counts into the server's file, each name as a token", () => {
    const star = anEntry({ name: "*" });
    const gone = anEntry({ name: "gone", revokedAt: 2_000 });
    const over = anEntry({ name: "over", expiresAt: 2_000 });
    const text = nkeyAccounts(aRoster(star, gone, over), 3_000);
    expect(text).toContain(`nkey: ${star.publicKey}`);
    expect(text).toContain('"af.v1.default.ask.*.=2A"');
    expect(text).not.toContain(gone.publicKey);
    expect(text).not.toContain(over.publicKey);
  });
});

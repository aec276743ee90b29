import { createUser, fromPublic, fromSeed } from "@nats-io/jwt";
import { describe, expect, it } from "vitest";
import {
  kindOfPublicKey,
  mintKey,
  mintSeed,
  type NkeyKind,
  readSeed,
  signatureMatches,
} from "../../../src/wire/nkey.ts";

const TEXT = Buffer.from("what is signed");

describe("a key of NATS", () => {
  it.each<NkeyKind>(["operator", "account", "user"])(
    "of an %s is the one that the client library reads",
    (kind) => {
      const { seed, key: ours } = mintKey(kind);
      const theirs = fromSeed(Buffer.from(seed));
      expect(ours.kind).toBe(kind);
      expect(ours.publicKey).toBe(theirs.getPublicKey());
      expect(readSeed(seed)?.publicKey).toBe(ours.publicKey);
      expect(Buffer.from(ours.sign(TEXT))).toEqual(Buffer.from(theirs.sign(TEXT)));
      expect(kindOfPublicKey(theirs.getPublicKey())).toBe(kind);
    },
  );

  it("that the client library minted signs what its public key shows", () => {
    const theirs = createUser();
    const ours = readSeed(Buffer.from(theirs.getSeed()).toString());
    const signature = new Uint8Array(ours?.sign(TEXT) as Uint8Array);
    expect(fromPublic(theirs.getPublicKey()).verify(TEXT, signature)).toBe(true);
    expect(signatureMatches(theirs.getPublicKey(), TEXT, signature)).toBe(true);
  });

  it("matches no other text, no other key and no signature that is cut", () => {
    const one = mintKey("user").key;
    const other = mintKey("user").key;
    const signature = one.sign(TEXT);
    const own = one.publicKey;
    expect(signatureMatches(own, TEXT, signature)).toBe(true);
    expect(signatureMatches(own, Buffer.from("another"), signature)).toBe(false);
    expect(signatureMatches(other.publicKey, TEXT, signature)).toBe(false);
    expect(signatureMatches(own, TEXT, signature.subarray(1))).toBe(false);
    expect(signatureMatches("U", TEXT, signature)).toBe(false);
  });

  it.each([
    ["nothing", ""],
    ["a public key", mintKey("user").key.publicKey],
    ["a seed with another letter", "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VX"],
    ["a seed in small letters", mintSeed("user").toLowerCase()],
    ["a longer text", `${mintSeed("user")}A`],
    ["a very long text", "A".repeat(100_000)],
    ["a seed of a server", "SNAB2FU4V7ZWBVZ6PCPV4TOOEFXSDSXWUDQFXSQJQ6LFGGSW5JFPLQFCSQ"],
  ])("is not read from %s", (_what, text) => {
    expect(readSeed(text)).toBeNull();
  });
});

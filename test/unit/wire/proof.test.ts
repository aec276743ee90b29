import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { decodeNonce, mintNonce, proofMatches, proofOf } from "../../../src/wire/proof.ts";

const NONCE = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const subject = "af.v1.default.dec.boss-1.kid-1.perm-7";
const body = Buffer.from('{"v":1,"requestId":"perm-7","approved":true,"state":"approved"}');
const PROOF = "pQyTVFXHTb3zb2aiGMeC5nVmvymQgKqhjfniJNpm3xw";

describe("a proof", () => {
  it("is the HMAC that the platform computes, for bodies of every size", () => {
    const key = Buffer.from(NONCE, "base64url");
    for (const size of [0, 1, 55, 56, 63, 64, 65, 1_000, 300_000]) {
      const data = Buffer.alloc(size, "ü€🦀");
      const hmac = createHmac("sha256", key).update(subject).update("\0").update(data);
      expect(proofOf(NONCE, { subject, body: data })).toBe(hmac.digest("base64url"));
    }
  });

  it("is taken of a view of bytes alone, not of what lies around it", () => {
    const around = new Uint8Array([1, ...body, 2]);
    const view = around.subarray(1, around.length - 1);
    expect(proofOf(NONCE, { subject, body: view })).toBe(PROOF);
  });

  it("matches its own message", () => {
    expect(proofOf(NONCE, { subject, body })).toBe(PROOF);
    expect(proofMatches(NONCE, { subject, body }, PROOF)).toBe(true);
  });

  it("does not match another subject, body or nonce", () => {
    expect(proofMatches(NONCE, { subject: `${subject}8`, body }, PROOF)).toBe(false);
    expect(
      proofMatches(NONCE, { subject, body: Buffer.concat([body, Buffer.from(" ")]) }, PROOF),
    ).toBe(false);
    expect(proofMatches(mintNonce(), { subject, body }, PROOF)).toBe(false);
  });

  it("binds where the subject ends", () => {
    const moved = { subject: "a", body: Buffer.from("b\0c") };
    const proof = proofOf(NONCE, { subject: "a\0b", body: Buffer.from("c") });
    expect(proofMatches(NONCE, moved, proofOf(NONCE, moved))).toBe(true);
    expect(proof).toBe(proofOf(NONCE, moved));
    expect(subject).not.toContain("\0");
  });

  it.each([
    undefined,
    null,
    7,
    [PROOF],
    { length: 43 },
    "",
    PROOF.slice(1),
    `${PROOF}=`,
    ` ${PROOF.slice(1)}`,
    `${PROOF.slice(0, 42)}x`,
    `${PROOF.slice(0, 42)}ü`,
    `${PROOF.slice(0, 41)}ü`,
    PROOF.toLowerCase(),
  ])("does not match %j", (proof) => {
    expect(proofMatches(NONCE, { subject, body }, proof)).toBe(false);
  });

  it("never matches without a nonce, and none is made without one", () => {
    expect(proofMatches("short", { subject, body }, PROOF)).toBe(false);
    expect(() => proofOf("secret-but-short", { subject, body })).toThrow(TypeError);
    expect(() => proofOf("secret-but-short", { subject, body })).not.toThrow("secret");
  });
});

describe("a nonce", () => {
  it("is minted anew each time, of 32 bytes", () => {
    const minted = Array.from({ length: 200 }, mintNonce);
    expect(new Set(minted).size).toBe(200);
    for (const nonce of minted) expect(decodeNonce(nonce)).toHaveLength(32);
  });

  it.each(["", "A".repeat(42), "A".repeat(44), `${"A".repeat(43)}=`, `${"A".repeat(42)}+`])(
    "is not %j",
    (text) => {
      expect(decodeNonce(text)).toBeNull();
    },
  );

  it("has one spelling: the bits behind the last byte are zero", () => {
    const spellings = Array.from(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    );
    const kept = spellings.filter((last) => decodeNonce("A".repeat(42) + last) !== null);
    expect(kept.join("")).toBe("AEIMQUYcgkosw048");
  });
});

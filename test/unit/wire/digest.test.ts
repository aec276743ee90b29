import { describe, expect, it } from "vitest";
import { bytesDigest, canonicalDigest } from "../../../src/wire/digest.ts";

describe("a digest of bytes", () => {
  it("is SHA-256 in base64url, of a text's UTF-8 form too", () => {
    expect(bytesDigest('{"id":"perm-7","createdAt":1}')).toBe(
      "2rEMBXE1IGzPj2OIuxcXUpvdxwEWFCAkCbZxxrMvnok",
    );
    expect(bytesDigest(Buffer.from("ü"))).toBe(bytesDigest("ü"));
    expect(bytesDigest(new Uint8Array())).toBe("47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU");
  });
});

describe("a canonical digest", () => {
  it.each([
    [{ b: 1, a: [true, null] }, '{"a":[true,null],"b":1}'],
    [{ "\ufb33": 1, "\ud83d\ude00": 2, z: 3 }, '{"z":3,"\ud83d\ude00":2,"\ufb33":1}'],
    [
      { a: 1e21, b: 1e-6, c: 1e-7, d: 100, e: -0 },
      '{"a":1e+21,"b":0.000001,"c":1e-7,"d":100,"e":0}',
    ],
    [{ s: "e\u0301" }, '{"s":"e\u0301"}'],
    ["a\u0000\u007f/", '"a\\u0000\u007f/"'],
    [null, "null"],
    [[], "[]"],
    [{ a: undefined, b: 1 }, '{"b":1}'],
  ])("writes %j as %s", (value, canonical) => {
    expect(canonicalDigest(value)).toEqual({ canonical, digest: bytesDigest(canonical) });
  });

  it("takes a __proto__ key for data", () => {
    const value: unknown = JSON.parse('{"__proto__":{"b":1},"a":2}');
    expect(canonicalDigest(value).canonical).toBe('{"__proto__":{"b":1},"a":2}');
  });

  it.each([
    ["half a surrogate pair in a text", { s: "\ud800" }],
    ["half a surrogate pair in a key", { "\ud800": 1 }],
    ["a number without end", { n: Number.POSITIVE_INFINITY }],
    ["no number", [Number.NaN]],
    ["nothing", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("s")],
    ["a big integer", { n: 1n }],
  ])("refuses %s", (_why, value) => {
    expect(() => canonicalDigest(value)).toThrow(TypeError);
  });

  it("refuses a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(() => canonicalDigest(cycle)).toThrow("canonical");
  });

  it("digests what is nested without end", () => {
    const text = `${"[".repeat(50_000)}${"]".repeat(50_000)}`;
    expect(canonicalDigest(JSON.parse(text)).canonical).toBe(text);
  });
});

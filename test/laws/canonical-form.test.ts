import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalDigest } from "../../src/wire/digest.ts";

it("the canonical form of a value is the one of RFC 8785, whichever way it is written", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, stringUnit: "grapheme" }), (value) => {
      expect(canonicalDigest(value).canonical).toBe(canonicalize(value));
    }),
    { numRuns: 1000 },
  );
});

it("the canonical form of a tool's flat input orders its keys by their UTF-16 units", () => {
  const key = fc.oneof(fc.string({ unit: "binary" }), fc.nat(12).map(String));
  const value = fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.dictionary(key, value, { noNullPrototype: true }), (input) => {
      const action = { tool: "bash", input, cwd: "/srv" };
      expect(canonicalDigest(action).canonical).toBe(canonicalize(action));
    }),
    { numRuns: 1000 },
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sessionFileName } from "../../src/journal/session-files.ts";
import { runs } from "../support/random-tests.ts";

const ids = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.constantFrom("a", "A", "=", "h", "2", "f", ".", "/"), maxLength: 130 }),
);

describe("file names of sessions", () => {
  it("two ids never share a file, also where the disk folds case", () => {
    fc.assert(
      fc.property(ids, ids, (one, other) => {
        fc.pre(one !== other);
        expect(sessionFileName(one).toUpperCase()).not.toBe(sessionFileName(other).toUpperCase());
      }),
      { numRuns: runs(2_000) },
    );
  });

  it("every name is one safe and short part of a path", () => {
    fc.assert(
      fc.property(ids, (id) => {
        expect(sessionFileName(id)).toMatch(/^session-[a-z0-9_=-]{0,120}$/);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

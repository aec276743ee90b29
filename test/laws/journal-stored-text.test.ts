import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fromStoredText, toStoredText } from "../../src/journal/stored-text.ts";
import { runs } from "../support/random-tests.ts";

const texts = fc.oneof(
  fc.string({ unit: fc.constantFrom("\u0000", "\u0001", "0", "1", "a") }),
  fc.string({ unit: "binary" }),
);

describe("text as a journal keeps it", () => {
  it("every text comes back, and none is kept with a NUL", () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(fromStoredText(toStoredText(text))).toBe(text);
        expect(toStoredText(text)).not.toContain("\u0000");
      }),
      { numRuns: runs(2_000) },
    );
  });
});

import { describe, expect, test } from "vitest";
import { endOf, extentOf, frontOf, wrapLine } from "../../../src/render/columns.ts";

describe("a row of a screen", () => {
  test.each([
    ["flags", "🇩🇪🇯🇵🇺🇸", 10, ["🇩🇪🇯🇵", "🇺🇸"]],
    [
      "syllables of several signs",
      "\u1112\u1161\u11ab".repeat(3),
      5,
      Array(3).fill("\u1112\u1161\u11ab"),
    ],
    ["marked letters", "abce\u0301f", 4, ["abc", "e\u0301f"]],
    ["letters with a tone of skin", "ab👍🏽", 4, ["ab", "👍🏽"]],
    ["conjuncts", "अक्षि", 4, ["अ", "क्षि"]],
  ])("holds %s whole", (_what, line, width, rows) => {
    expect(wrapLine(line, width)).toEqual(rows);
  });

  test("ends after a blank where there is one, before a letter that does not fit", () => {
    expect(wrapLine("rm -rf 🇩🇪🇯🇵x", 12)).toEqual(["rm -rf ", "🇩🇪🇯🇵x"]);
    expect(wrapLine("one two three", 8)).toEqual(["one two ", "three"]);
  });

  test("splits a letter that is wider than a row by itself, but no character of it", () => {
    const tower = `e${"\u0301".repeat(9)}`;
    expect(wrapLine(tower, 4).map((row) => row.length)).toEqual([4, 4, 2]);
    expect(wrapLine("🦀🏽", 3)).toEqual(["🦀", "🏽"]);
  });
});

describe("a text that is cut to a row", () => {
  test("has whole letters at either end", () => {
    expect(frontOf("🇩🇪🇯🇵", 6)).toBe("🇩🇪");
    expect(endOf("🇩🇪🇯🇵", 6)).toBe("🇯🇵");
    expect(frontOf("日本", 3)).toBe("日");
  });

  test("has what fits of a letter that is wider than a row by itself", () => {
    const tower = `e${"\u0301".repeat(9)}`;
    expect(frontOf(tower, 4)).toBe(`e${"\u0301".repeat(3)}`);
    expect(endOf(tower, 4)).toBe("\u0301".repeat(4));
    expect(extentOf(endOf("🦀", 1))).toBe(0);
  });
});

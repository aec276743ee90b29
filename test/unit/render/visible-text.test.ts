import { describe, expect, test } from "vitest";
import { visibleCut, visibleJson, visibleText } from "../../../src/render/visible-text.ts";

describe("visible text", () => {
  test.each([
    ["a\u001b[31mb", "a\\x1b[31mb"],
    ["a\r\nb\tc", "a\\r\\nb\\tc"],
    ["rm \u202egnp.exe\u200b", "rm \\u202egnp.exe\\u200b"],
    ["\u{e0041}\ufe0f\u3164", "\\u{e0041}\\ufe0f\\u3164"],
    ["a\ud800b", "a\\ud800b"],
    ["\u0085\u2028\u00ad", "\\x85\\u2028\\xad"],
    ["naïve 日本 🦀 مرحبا e\u0301", "naïve 日本 🦀 مرحبا e\u0301"],
  ])("a person reads %j as %j", (given, shown) => {
    expect(visibleText(given)).toBe(shown);
  });
});

describe("visible JSON", () => {
  test.each([
    "plain",
    "a\u001b[31m\u009b1Ab\u007f",
    "\u202e\u200b\u2028\ufeff",
    "\u{e0041}\u{1f980}",
    "\ud800",
  ])("says %j and does nothing to a screen", (text) => {
    const json = visibleJson(`${JSON.stringify({ [text]: text })}\n`);
    expect(json).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]*\n$/u);
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });
});

describe("cut text", () => {
  test.each([
    ["abcdefghij", 10, "abcdefghij", false],
    ["abcdefghijk", 10, "abcdefghij…", true],
    ["abcdefghi🦀xyz", 10, "abcdefghi…", true],
    ["abcdefgh🦀xyz", 10, "abcdefgh🦀…", true],
    ["ab\u001bcdef", 5, "ab…", true],
    ["ab\u001bcdef", 6, "ab\\x1b…", true],
    ["a\nb", 10, "a\\nb", false],
    ["🇩🇪🇯🇵", 6, "🇩🇪…", true],
    ["cafe\u0301s", 4, "caf…", true],
    ["a\u1112\u1161\u11abb", 3, "a…", true],
    ["👍🏽!", 3, "👍…", true],
    [`e${"\u0301".repeat(9)}`, 5, `e${"\u0301".repeat(4)}…`, true],
    ["🦀", 1, "…", true],
    ["a\u001b\u0301", 5, "a…", true],
  ])("%j at %i units is %j", (given, max, text, cut) => {
    expect(visibleCut(given, max)).toEqual({ text, cut });
  });

  test("nothing is cut without a bound", () => {
    expect(visibleCut("x".repeat(9_999), null).cut).toBe(false);
  });

  test("line feeds stay where rows are made of them", () => {
    expect(visibleCut("a\nb\r", 10, true).text).toBe("a\nb\\r");
  });
});

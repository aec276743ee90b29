import { describe, expect, it } from "vitest";
import { compileSegment, isPattern, nameOf } from "../../../src/gates/match-glob.ts";

describe("one segment of a shell's pattern", () => {
  it.each([
    ["*", "a", true],
    ["*", ".a", false],
    [".*", ".a", true],
    ["a*", "a", true],
    ["a*c*e", "abcde", true],
    ["a*c*e", "abcdx", false],
    ["?", "\u{1f511}", true],
    ["?", "ab", false],
    ["?a", ".a", false],
    ["[ab]", "b", true],
    ["[ab]", "c", false],
    ["[!ab]", "c", true],
    ["[^ab]", "a", false],
    ["[a-c]", "b", true],
    ["[a-c]", "B", true],
    ["[a\\-c]", "b", false],
    ["[]a]", "]", true],
    ["[!]a]", "]", false],
    ["[\\]]", "]", true],
    ["[[:alpha:]]", "a", true],
    ["[a", "[a", true],
    ["[a", "a", false],
    ["a[", "a[", true],
    ["\\*", "*", true],
    ["\\*", "a", false],
    ["\\.*", ".a", true],
    ["[.]a", ".a", false],
    ["a]b", "a]b", true],
  ])("%j matches %j: %s", (segment, name, matches) => {
    expect(compileSegment(segment)(name)).toBe(matches);
  });

  it.each([
    ["a", false],
    ["a*", true],
    ["a\\*", false],
    ["[a", false],
    ["[a]", true],
    ["\\[a]", false],
  ])("%j is a pattern: %s", (segment, is) => {
    expect(isPattern(segment)).toBe(is);
  });

  it("that is none stands for one name", () => {
    expect(nameOf("a\\*\\\\b")).toBe("a*\\b");
  });

  it("takes no long time for any name", () => {
    const matches = compileSegment("a*".repeat(60) + "b");
    expect(matches("a".repeat(250))).toBe(false);
  });
});

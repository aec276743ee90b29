import { describe, expect, it } from "vitest";
import { findSegment } from "../../../src/policy/find-segment.ts";
import { compilePattern, type Subject, subjectOf } from "../../../src/policy/wildcard.ts";

const matches = (pattern: string, value: string): boolean =>
  compilePattern(pattern)(subjectOf(value));

/** Points of a text that count how often they are looked at. */
function counted(text: string): { subject: Subject; looks: () => number } {
  let looks = 0;
  const points = new Proxy([...subjectOf(text).points()], {
    get: (target, key) => {
      if (key !== "length") looks += 1;
      return Reflect.get(target, key) as unknown;
    },
  });
  return { subject: { text, points: () => points }, looks: () => looks };
}

describe("a pattern", () => {
  it.each([
    ["git *", "git", true],
    ["git **", "git", true],
    ["git *", "git push", true],
    ["git *", "gitx", false],
    [" *", "", true],
    ["* *", "one", true],
    ["", "", true],
    ["", "x", false],
    ["*", "", true],
    ["?", "", false],
    ["?", "\u{1f980}", true],
    ["??", "\u{1f980}", false],
    ["*?", "\ud800", true],
    ["a*b?d*e", "a..b..b.d..e", true],
    ["a*b?d*e", "a..b..bd..e", false],
    ["*ab*ab", "ab", false],
    ["ab*ba", "aba", false],
  ])("%j tells of %j whether it matches: %j", (pattern, value, expected) => {
    expect(matches(pattern, value)).toBe(expected);
  });
});

describe("the work of a match", () => {
  const length = 20_000;

  it.each([
    ["many stars", "*a".repeat(5000), `${"a".repeat(length)}b`],
    ["a long run that almost fits", `*${"a".repeat(10_000)}b*`, "a".repeat(length)],
    ["a repeating run", `*${"ab".repeat(5000)}c*`, "ab".repeat(length / 2)],
    ["stars and single characters", "?*".repeat(5000), "a".repeat(length)],
  ])("stays within a few looks at each character for %s", (_, pattern, text) => {
    const { subject, looks } = counted(text);
    compilePattern(pattern)(subject);
    expect(looks()).toBeGreaterThan(0);
    expect(looks()).toBeLessThan(5 * (text.length + pattern.length));
  });

  it("looks once at each character for a run with single characters of any kind", () => {
    const { subject, looks } = counted("a".repeat(length));
    const segment = Array.from({ length: 500 }, () => [97, -1]).flat();
    expect(findSegment([...segment, 98])(subject.points(), 0, length)).toBe(-1);
    expect(looks()).toBe(length);
  });

  it("finds a run longer than a machine word at its place, and not one that differs at its end", () => {
    const run = "abcdefghij".repeat(7);
    const open = `${run.slice(0, 33)}?${run.slice(34)}`;
    expect(matches(`*${open}!*`, `${run}${run}!${run}`)).toBe(true);
    expect(matches(`*${open}!*`, `${run}x${run.slice(0, 69)}!`)).toBe(false);
    expect(matches(`*x${open}*`, `${run}${run}`)).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { formatRemaining, parseRemaining } from "../../../src/wire/headers.ts";

describe("the remaining life in a header", () => {
  it.each([
    ["0", 0],
    ["600000", 600_000],
    ["86400000", 86_400_000],
    ["999999999999999", 999_999_999_999_999],
  ])("%j is %d ms", (header, ms) => {
    expect(parseRemaining(header)).toBe(ms);
  });

  it.each([
    undefined,
    "",
    " ",
    "-1",
    "+1",
    "1.5",
    "1e3",
    "0x10",
    "1 ",
    " 1",
    "١",
    "soon",
    "9".repeat(16),
  ])("%j says nothing", (header) => {
    expect(parseRemaining(header)).toBeNull();
  });

  it.each([
    [600_000, "600000"],
    [0.9, "0"],
    [-5, "0"],
    [Number.NaN, "0"],
    [Number.POSITIVE_INFINITY, "0"],
    [1e300, "86400000"],
  ])("%d ms are written as %s", (ms, header) => {
    expect(formatRemaining(ms)).toBe(header);
  });
});

import { describe, expect, it } from "vitest";
import { isLater } from "../../../src/ask/incarnation.ts";

describe("the order of incarnations", () => {
  it("a larger epoch is later, compared as a number", () => {
    expect(isLater("10.aaaa", "9.zzzz")).toBe(true);
    expect(isLater("9.zzzz", "10.aaaa")).toBe(false);
  });

  it("two processes of one epoch are neither later than the other", () => {
    expect(isLater("7.b", "7.a")).toBe(false);
    expect(isLater("7.a", "7.b")).toBe(false);
  });

  it("epochs beyond the safe integers are still told apart", () => {
    expect(isLater("9007199254740993.a", "9007199254740992.a")).toBe(true);
  });

  it("an epoch of a thousand digits is none", () => {
    expect(isLater(`${"9".repeat(1000)}.a`, "1.a")).toBe(false);
  });

  it.each(["", "x.1", "1e3.a", "-5.a", "007.a", "1700000000000-k3", " 8.a"])(
    "a text without an epoch (%j) is never later than anything",
    (text) => {
      expect(isLater(text, "1.a")).toBe(false);
      expect(isLater("1.a", text)).toBe(false);
    },
  );

  it("nothing is later than no incarnation at all", () => {
    expect(isLater("1.a", null)).toBe(false);
  });
});

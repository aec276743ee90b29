import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_REASON_CHARACTERS } from "../../../src/ask/control.ts";
import { reasonTail, type TypedKey, typeReason } from "../../../src/cli/tui-reason.ts";
import { extentOf } from "../../../src/render/columns.ts";
import { hostileText } from "../../support/hostile-text.ts";

const typed = (text: string): readonly TypedKey[] => Array.from(text, (sequence) => ({ sequence }));
const write = (keys: readonly TypedKey[], before = ""): string => keys.reduce(typeReason, before);

describe("a reason as it is typed", () => {
  it("holds wide characters, emoji and accents as they were typed", () => {
    expect(write(typed("niño 日本 👍🏽 👩‍👧"))).toBe("niño 日本 👍🏽 👩‍👧");
  });

  it("loses one visible letter by backspace, whatever that is made of", () => {
    const back = { name: "backspace", sequence: "\u007f" };
    expect(write([back], "ab👩‍👧")).toBe("ab");
    expect(write([back], "cafe\u0301")).toBe("caf");
    expect(write([back], "")).toBe("");
  });

  it("loses a word by Ctrl-W and everything by Ctrl-U", () => {
    expect(write([{ name: "w", ctrl: true }], "use the staging ")).toBe("use the ");
    expect(write([{ name: "u", ctrl: true }], "use the staging")).toBe("");
  });

  it("takes a pasted line end as a blank", () => {
    const keys = [...typed("a"), { name: "return", sequence: "\r" }, ...typed("b")];
    expect(write(keys)).toBe("a b");
  });

  it.each([
    { name: "left", sequence: "\u001b[D" },
    { name: "y", sequence: "\u001by", meta: true },
    { name: "k", sequence: "\u000b", ctrl: true },
    { sequence: "\u009b" },
    { sequence: "\ud800" },
    {},
  ])("is not changed by %j", (key) => {
    expect(write([key], "as it was")).toBe("as it was");
  });

  it("ends at its limit without splitting a character", () => {
    const full = "x".repeat(MAX_REASON_CHARACTERS - 1);
    expect(write(typed("🦀"), full)).toBe(full);
    expect(write(typed("yz"), full)).toBe(`${full}y`);
  });

  it("shows its end in a row that it fits, without a raw control byte", () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 4, max: 200 }), (text, width) => {
        const row = reasonTail(text, width);
        expect(extentOf(row)).toBeLessThanOrEqual(width);
        expect(row).not.toMatch(/[\p{Cc}\p{Cs}]/u);
      }),
    );
  });

  it("shows all of a short reason and the end of a long one", () => {
    expect(reasonTail("use staging", 20)).toBe("use staging");
    expect(reasonTail("please use the staging branch", 15)).toBe("…staging branch");
  });
});

import { describe, expect, it } from "vitest";
import { childScene } from "../../support/child-scene.ts";

describe("what a child is opened with", () => {
  it.each([
    ["forwardingTimeoutMs", 999],
    ["forwardingTimeoutMs", 86_400_001],
    ["forwardingTimeoutMs", Number.NaN],
    ["unservedGraceMs", -1],
    ["unservedGraceMs", Number.POSITIVE_INFINITY],
  ])("is refused by name when %s is %d", async (name, value) => {
    await expect(childScene({ [name]: value })).rejects.toThrow(
      new RegExp(`${name} is ${String(value)} and must be from \\d+ to 86400000`),
    );
  });

  it("is refused with all of its faults together", async () => {
    await expect(
      childScene({ session: "", parent: "", forwardingTimeoutMs: 1, unservedGraceMs: -1 }),
    ).rejects.toThrow(/session.*parent.*forwardingTimeoutMs.*unservedGraceMs/);
  });

  it("is refused when a session's name cannot stand in a subject", async () => {
    await expect(childScene({ parent: "\ud800" })).rejects.toThrow(TypeError);
  });
});

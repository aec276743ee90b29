import { describe, expect, it } from "vitest";
import { deadlineOf, isTooOld, shortenedDeadline } from "../../../src/parent/ask-life.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const ask = { createdAt: 1_000_000, expiresAt: 1_000_000 + 10 * MINUTE };

describe("the life of a served ask", () => {
  it("counts the stated life from the first receipt on the parent's own clock", () => {
    expect(deadlineOf(ask, null, 5_000_000)).toBe(5_000_000 + 10 * MINUTE);
  });

  it.each([-7, 7])("is the same when the child's clock is %d minutes off", (minutes) => {
    const skewed = {
      createdAt: ask.createdAt + minutes * MINUTE,
      expiresAt: ask.expiresAt + minutes * MINUTE,
    };
    expect(deadlineOf(skewed, 4 * MINUTE, 5_000_000)).toBe(5_000_000 + 4 * MINUTE);
  });

  it("is shortened by what the child says is left and never lengthened by it", () => {
    expect(deadlineOf(ask, 3_000, 5_000_000)).toBe(5_003_000);
    expect(deadlineOf(ask, HOUR, 5_000_000)).toBe(5_000_000 + 10 * MINUTE);
    expect(deadlineOf(ask, -1, 5_000_000)).toBe(5_000_000);
  });

  it("is cut at 24 hours", () => {
    expect(deadlineOf({ createdAt: 0, expiresAt: 90 * HOUR }, null, 0)).toBe(24 * HOUR);
  });

  it("is shortened and never lengthened by a repeat", () => {
    expect(shortenedDeadline(9_000, 2_000, 5_000)).toBe(7_000);
    expect(shortenedDeadline(9_000, 20_000, 5_000)).toBe(9_000);
    expect(shortenedDeadline(9_000, null, 5_000)).toBe(9_000);
  });

  it("is over for an unknown ask whose row may have been here and left", () => {
    expect(isTooOld(ask, ask.expiresAt + 22 * HOUR)).toBe(false);
    expect(isTooOld(ask, ask.expiresAt + 24 * HOUR)).toBe(true);
  });

  it("is over before the row leaves, also when the child's clock is an hour ahead", () => {
    const receivedAt = 100 * HOUR;
    const ahead = {
      createdAt: receivedAt + HOUR - 1,
      expiresAt: receivedAt + HOUR - 1 + 10 * MINUTE,
    };
    const rowLeavesAt = deadlineOf(ahead, null, receivedAt) + 24 * HOUR;
    expect(isTooOld(ahead, rowLeavesAt)).toBe(true);
  });
});

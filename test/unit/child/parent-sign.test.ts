import { describe, expect, it } from "vitest";
import { hearPresence, isSilent, unheard } from "../../../src/child/parent-sign.ts";

const up = (incarnation: string) => ({ incarnation, state: "up" }) as const;

describe("the sign of a parent's life", () => {
  it("is a return with the first heartbeat", () => {
    const heard = hearPresence(unheard(0), up("1.a"), 10);
    expect(heard).toEqual({
      sign: { heardAt: 10, incarnation: "1.a", since: 10 },
      returned: true,
    });
  });

  it("is no return while heartbeats follow each other", () => {
    const { sign } = hearPresence(unheard(0), up("1.a"), 10);
    expect(hearPresence(sign, up("1.a"), 1_010).returned).toBe(false);
    expect(hearPresence(sign, up("1.a"), 3_010).returned).toBe(false);
  });

  it("is a return after more than 3 s of silence", () => {
    const { sign } = hearPresence(unheard(0), up("1.a"), 10);
    expect(isSilent(sign, 3_011)).toBe(true);
    expect(hearPresence(sign, up("1.a"), 3_011).returned).toBe(true);
  });

  it("is a return by a later process, and the earlier one tells nothing any more", () => {
    const first = hearPresence(unheard(0), up("9.a"), 10).sign;
    const later = hearPresence(first, up("10.b"), 20);
    expect(later.returned).toBe(true);
    expect(hearPresence(later.sign, up("9.a"), 30)).toEqual({ sign: later.sign, returned: false });
    const bye = { incarnation: "9.a", state: "bye" } as const;
    expect(hearPresence(later.sign, bye, 30).sign).toEqual(later.sign);
  });

  it("ends with a goodbye, after which the next heartbeat is a return", () => {
    const { sign } = hearPresence(unheard(0), up("1.a"), 10);
    const bye = hearPresence(sign, { incarnation: "1.a", state: "bye" }, 20);
    expect(bye).toEqual({
      sign: { heardAt: null, incarnation: "1.a", since: 20 },
      returned: false,
    });
    expect(isSilent(bye.sign, 20)).toBe(true);
    expect(hearPresence(bye.sign, up("1.a"), 30).returned).toBe(true);
  });

  it("goes on while the parent closes", () => {
    const closing = { incarnation: "1.a", state: "closing" } as const;
    expect(hearPresence(unheard(0), closing, 10).sign.heardAt).toBe(10);
  });
});

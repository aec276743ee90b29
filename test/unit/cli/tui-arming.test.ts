import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ARMED_AFTER_MS, createArming, QUIET_MS } from "../../../src/cli/tui-arming.ts";

let now = 0;
const clock = { monotonic: () => now };
const lastKey = { at: 0 };

/** Lets time pass for the clock and for timers alike. */
function pass(ms: number): void {
  for (let i = 0; i < ms; i += 1) {
    now += 1;
    vi.advanceTimersByTime(1);
  }
}

describe("the arming of a dialog", () => {
  beforeEach(() => {
    now = 1_000;
    lastKey.at = Number.NEGATIVE_INFINITY;
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("takes no key until the dialog was there for its time", () => {
    const changed = vi.fn<() => void>();
    const arming = createArming({ clock, lastKey, changed });
    arming.begin();
    pass(ARMED_AFTER_MS - 1);
    expect(arming.isArmed()).toBe(false);
    pass(2);
    expect(arming.isArmed()).toBe(true);
    expect(changed).toHaveBeenCalledTimes(1);
    arming.end();
  });

  it("waits for quiet after each key it ignored, so that a held key never counts", () => {
    const arming = createArming({ clock, lastKey, changed: () => undefined });
    arming.begin();
    for (let held = 0; held < 60; held += 1) {
      pass(33);
      expect(arming.isArmed()).toBe(false);
      arming.ignored();
    }
    pass(QUIET_MS - 1);
    expect(arming.isArmed()).toBe(false);
    pass(2);
    expect(arming.isArmed()).toBe(true);
    arming.end();
  });

  it.each([250, 400, 500, 660])(
    "never counts a key held since before the dialog that first repeats after %i ms",
    (repeats) => {
      const arming = createArming({ clock, lastKey, changed: () => undefined });
      lastKey.at = now;
      arming.begin();
      pass(repeats);
      for (let held = 0; held < 60; held += 1) {
        expect(arming.isArmed()).toBe(false);
        arming.ignored();
        pass(33);
      }
      pass(QUIET_MS);
      expect(arming.isArmed()).toBe(true);
      arming.end();
    },
  );

  it("never counts a key that was ignored and is held on", () => {
    const arming = createArming({ clock, lastKey, changed: () => undefined });
    arming.begin();
    pass(100);
    arming.ignored();
    pass(500);
    expect(arming.isArmed()).toBe(false);
    arming.end();
  });

  it("does not wait longer for a key that came long before", () => {
    const arming = createArming({ clock, lastKey, changed: () => undefined });
    lastKey.at = now;
    pass(QUIET_MS);
    arming.begin();
    pass(ARMED_AFTER_MS + 1);
    expect(arming.isArmed()).toBe(true);
    arming.end();
  });

  it("begins anew when another question stands in the dialog", () => {
    const arming = createArming({ clock, lastKey, changed: () => undefined });
    arming.begin();
    pass(ARMED_AFTER_MS + 1);
    expect(arming.isArmed()).toBe(true);
    arming.begin();
    expect(arming.isArmed()).toBe(false);
    pass(ARMED_AFTER_MS + 1);
    expect(arming.isArmed()).toBe(true);
    arming.end();
  });

  it("hears first what was typed while the program could not run, and only then arms", () => {
    const arming = createArming({ clock, lastKey, changed: () => undefined });
    arming.begin();
    // The program was stopped for long: its timer is due, and a key waits to be read behind it.
    now += 60_000;
    setTimeout(() => {
      expect(arming.isArmed()).toBe(false);
      arming.ignored();
    }, ARMED_AFTER_MS);
    vi.advanceTimersByTime(ARMED_AFTER_MS);
    vi.advanceTimersByTime(1);
    expect(arming.isArmed()).toBe(false);
    pass(QUIET_MS + 1);
    expect(arming.isArmed()).toBe(true);
    arming.end();
  });

  it("is never armed after its end", () => {
    const changed = vi.fn<() => void>();
    const arming = createArming({ clock, lastKey, changed });
    arming.begin();
    arming.end();
    pass(ARMED_AFTER_MS * 3);
    expect(arming.isArmed()).toBe(false);
    expect(changed).not.toHaveBeenCalled();
  });
});

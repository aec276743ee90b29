import { describe, expect, it } from "vitest";
import { openChildren } from "../../../src/parent/children.ts";

const WAITING = new Set(["child-1"]);

function aLook() {
  const time = { now: 0, connected: true };
  const children = openChildren({
    clock: { monotonic: () => time.now },
    connected: () => time.connected,
  });
  children.watch("child-1");
  children.heard("child-1", true);
  const pass = (seconds: number): readonly string[] => {
    const left: string[] = [];
    for (let second = 0; second < seconds; second += 1) {
      time.now += 1_000;
      left.push(...children.look(WAITING));
    }
    return left;
  };
  return { time, children, pass };
}

describe("a parent's look at its children", () => {
  it("names one that is gone once, until it is heard and gone again", () => {
    const { children, pass } = aLook();
    expect(pass(3)).toEqual([]);
    expect(pass(10)).toEqual(["child-1"]);
    expect(children.isGone("child-1")).toBe(true);
    children.heard("child-1", true);
    expect(children.isGone("child-1")).toBe(false);
    expect(pass(5)).toEqual(["child-1"]);
  });

  it("holds nothing against a child while this process stood still itself", () => {
    const { time, pass } = aLook();
    time.now += 30_000;
    expect(pass(3)).toEqual([]);
    expect(pass(3)).toEqual(["child-1"]);
  });

  it("holds nothing against a child while this process is not connected", () => {
    const { time, pass } = aLook();
    time.connected = false;
    expect(pass(30)).toEqual([]);
    time.connected = true;
    expect(pass(3)).toEqual([]);
    expect(pass(1)).toEqual(["child-1"]);
  });

  it("forgets silent children of whom nothing waits", () => {
    const { time, children } = aLook();
    for (let second = 0; second < 12; second += 1) {
      time.now += 1_000;
      children.look(new Set());
    }
    expect(children.look(WAITING)).toEqual([]);
  });

  it("says whether any child lives that announced itself", () => {
    const { time, children } = aLook();
    expect(children.anyLives()).toBe(true);
    time.now += 3_500;
    expect(children.anyLives()).toBe(false);
    children.heard("child-2", false);
    expect(children.anyLives()).toBe(false);
    children.heard("child-2", true);
    expect(children.anyLives()).toBe(true);
  });

  it("lets whoever waits for a child go on when it is heard, and when there is nothing to wait for", async () => {
    const { children, pass } = aLook();
    const ended = new AbortController();
    await children.back("child-1", ended.signal);
    pass(5);
    const back = children.back("child-1", ended.signal);
    const other = children.back("child-1", ended.signal);
    children.heard("child-1", false);
    await Promise.all([back, other]);
    pass(5);
    const never = children.back("child-1", ended.signal);
    ended.abort();
    await never;
    expect(children.isGone("child-1")).toBe(true);
  });
});

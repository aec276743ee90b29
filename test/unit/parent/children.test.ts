import { describe, expect, it } from "vitest";
import { openChildren } from "../../../src/parent/children.ts";

const WAITING = new Set(["child-1"]);
const ASK = { requestId: "one", childToken: "child-1" };

function aLook() {
  const time = { now: 0, connected: true };
  const children = openChildren({
    clock: { monotonic: () => time.now },
    connected: () => time.connected,
  });
  children.watch("child-1");
  children.heard("child-1", []);
  /** Whether the child is gone after so many seconds. */
  const pass = (seconds: number): boolean => {
    for (let second = 0; second < seconds; second += 1) {
      time.now += 1_000;
      children.look(WAITING);
    }
    return children.isGone(ASK);
  };
  return { time, children, pass };
}

describe("a parent's look at its children", () => {
  it("misses one of whom nothing is heard, until it is heard, and again", () => {
    const { children, pass } = aLook();
    expect(pass(3)).toBe(false);
    expect(pass(1)).toBe(true);
    children.heard("child-1", []);
    expect(children.isGone(ASK)).toBe(false);
    expect(pass(5)).toBe(true);
  });

  it("believes a child that hears nothing of whom it asks for, about that ask and until it says otherwise", () => {
    const { children, pass } = aLook();
    children.heard("child-1", ["one", "of-another"]);
    expect(pass(1)).toBe(true);
    expect(children.isGone({ ...ASK, requestId: "two" })).toBe(false);
    expect(children.isGone({ ...ASK, childToken: "child-2" })).toBe(false);
    children.heard("child-1");
    expect(pass(1)).toBe(true);
    children.heard("child-1", []);
    expect(pass(1)).toBe(false);
  });

  it("holds nothing against a child while this process stood still itself", () => {
    const { time, pass } = aLook();
    time.now += 30_000;
    expect(pass(3)).toBe(false);
    expect(pass(3)).toBe(true);
  });

  it("holds nothing against a child while this process is not connected", () => {
    const { time, pass } = aLook();
    time.connected = false;
    expect(pass(30)).toBe(false);
    time.connected = true;
    expect(pass(3)).toBe(false);
    expect(pass(1)).toBe(true);
  });

  it("forgets silent children of whom nothing waits", () => {
    const { time, children } = aLook();
    for (let second = 0; second < 12; second += 1) {
      time.now += 1_000;
      children.look(new Set());
    }
    children.look(WAITING);
    expect(children.isGone(ASK)).toBe(false);
  });

  it("says whether any child lives that announced itself", () => {
    const { time, children } = aLook();
    expect(children.anyLives()).toBe(true);
    time.now += 3_500;
    expect(children.anyLives()).toBe(false);
    children.heard("child-2");
    expect(children.anyLives()).toBe(false);
    children.heard("child-2", []);
    expect(children.anyLives()).toBe(true);
  });

  it("lets whoever waits for a child go on when it is heard, and when there is nothing to wait for", async () => {
    const { children, pass } = aLook();
    const ended = new AbortController();
    await children.back(ASK, ended.signal);
    pass(5);
    const back = children.back(ASK, ended.signal);
    const other = children.back(ASK, ended.signal);
    children.heard("child-1");
    await Promise.all([back, other]);
    pass(5);
    const never = children.back(ASK, ended.signal);
    ended.abort();
    await never;
    expect(children.isGone(ASK)).toBe(true);
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { aCall, childScene, fakeTime, pass, settle } from "../../support/child-scene.ts";
import { memoryBus } from "../../support/memory-bus.ts";
import { scriptedParent } from "../../support/scripted-parent.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("what a person is told of an ask that waits", () => {
  it("is that its parent was reached, from the moment it accepted", async () => {
    fakeTime();
    await using scene = await childScene();
    void scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await pass(500);
    expect(scene.child.pending()).toEqual([
      {
        requestId: ask.ask.id,
        value: "make deploy",
        parent: "parent-1",
        reach: "reachable",
        heldBy: { kind: "human" },
        parentGoneSince: null,
        sinceMs: expect.closeTo(500, -2) as number,
      },
    ]);
  });

  it("is silence when nobody accepted for 250 ms", async () => {
    fakeTime();
    await using scene = await childScene();
    void scene.child.decide(aCall());
    await scene.ask();
    expect(scene.child.pending()[0]?.reach).toBe("reachable");
    await pass(300);
    expect(scene.child.pending()[0]?.reach).toBe("silent");
  });

  it("is silence since the last heartbeat when that is 3 s ago, and no more once it is back", async () => {
    fakeTime();
    await using scene = await childScene();
    void scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    scene.parent.beat();
    await pass(2_000);
    scene.parent.beat();
    await settle();
    const lastBeat = Date.now();
    await pass(2_900);
    expect(scene.child.pending()[0]?.reach).toBe("reachable");
    await pass(200);
    expect(scene.child.pending()[0]).toMatchObject({
      reach: "silent",
      parentGoneSince: expect.closeTo(lastBeat, -2) as number,
    });
    const repeats = scene.parent.asks.length;
    scene.parent.beat();
    await settle();
    expect(scene.child.pending()[0]).toMatchObject({ reach: "reachable", parentGoneSince: null });
    expect(scene.parent.asks.length).toBe(repeats + 1);
  });

  it("is that nobody serves the parent while 503 is the answer", async () => {
    fakeTime();
    await using scene = await childScene({ serving: false });
    void scene.child.decide(aCall());
    await pass(400);
    expect(scene.child.pending()[0]).toMatchObject({ reach: "unserved" });
    expect(scene.child.pending()[0]?.parentGoneSince).toBeGreaterThan(0);
  });

  it("is that the child itself has no connection", async () => {
    await using scene = await childScene();
    void scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    scene.port.disconnect();
    await settle();
    expect(scene.child.pending()[0]).toMatchObject({
      reach: "disconnected",
      parentGoneSince: null,
    });
  });

  it("is nothing once the ask has its outcome", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask());
    await outcome;
    expect(scene.child.pending()).toEqual([]);
  });
});

describe("an accepted ask whose parent goes away", () => {
  it("waits through 503, comes every second, and is decided by the parent that is back", async () => {
    fakeTime();
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await settle();
    scene.parent.close();
    await pass(60_000);
    expect(scene.child.pending()[0]?.reach).toBe("unserved");
    const back = scriptedParent(memoryBus(scene.broker));
    await pass(1_100);
    const [repeat] = back.asks;
    expect(repeat?.askDigest).toBe(ask.askDigest);
    expect(repeat?.remainingMs).toBeLessThan(600_000 - 60_000);
    back.accept(ask, "2.p");
    back.decide(ask, {}, "2.p");
    expect((await outcome).outcome).toBe("allowed");
  });

  it("is repeated at once when a newer process of the parent is heard", async () => {
    fakeTime();
    await using scene = await childScene();
    void scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask, "9.p");
    scene.parent.beat("9.p");
    await settle();
    const before = scene.parent.asks.length;
    scene.parent.beat("9.p");
    scene.parent.beat("8.o");
    await settle();
    expect(scene.parent.asks.length).toBe(before);
    scene.parent.beat("10.q");
    await settle();
    expect(scene.parent.asks.length).toBe(before + 1);
  });

  it("is repeated at once after a cut of the child's own link, byte for byte", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await settle();
    scene.port.disconnect();
    await settle();
    scene.parent.decide(ask);
    await settle();
    scene.port.reconnect();
    const repeat = await scene.ask(1);
    expect(repeat.askDigest).toBe(ask.askDigest);
    scene.parent.decide(repeat);
    expect((await outcome).outcome).toBe("allowed");
  });
});

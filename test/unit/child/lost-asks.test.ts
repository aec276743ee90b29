import { afterEach, describe, expect, it, vi } from "vitest";
import { aCall, childScene, fakeTime, pass, settle } from "../../support/child-scene.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("an ask without anybody to ask", () => {
  it.each([
    [null, "no_target", "--parent"],
    ["child-1", "self_target", "another session"],
  ] as const)(
    "of parent %s is lost at once as %s and says what to set",
    async (parent, lost, words) => {
      await using scene = await childScene({ parent });
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, async () => scene.child.decide(aCall("make test"))),
      );
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ outcome: "lost", lost });
        expect(outcome.text).toContain(words);
        expect(outcome.text).not.toMatch(/user/i);
      }
      expect(scene.records("permission_forwarding.warning")).toHaveLength(10);
      expect(scene.records("permission_request.blocked")).toHaveLength(10);
    },
  );

  it("is lost as ask_too_large when its facts do not fit into a message", async () => {
    await using scene = await childScene();
    const outcome = await scene.child.decide(aCall(`echo ${"x".repeat(300 * 1024)}`));
    expect(outcome).toMatchObject({ outcome: "lost", lost: "ask_too_large" });
    await settle();
    expect(scene.parent.asks).toEqual([]);
  });

  it("is lost as not_serving after 2 s of 503, names no user and leaves nothing to cancel", async () => {
    fakeTime();
    await using scene = await childScene({ serving: false });
    const calls = Array.from({ length: 20 }, async () => scene.child.decide(aCall()));
    await pass(2_100);
    for (const outcome of await Promise.all(calls)) {
      expect(outcome).toMatchObject({ outcome: "lost", lost: "not_serving" });
      expect(outcome.text).not.toMatch(/user|denied/i);
      expect(outcome.waitedMs).toBeGreaterThanOrEqual(2_000);
    }
    expect(scene.records("forwarded_permission.no_serving_session")).toHaveLength(20);
    expect(scene.journal.read.queuedCancels()).toEqual([]);
  });

  it("is lost as bus_unreachable after 30 s without a connection, not sooner", async () => {
    fakeTime();
    await using scene = await childScene();
    scene.broker.stop();
    await settle();
    const outcome = scene.child.decide(aCall());
    await pass(29_000);
    expect(scene.child.pending()).toMatchObject([{ reach: "disconnected" }]);
    await pass(1_100);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "bus_unreachable" });
    scene.broker.start();
    await pass(1_000);
    expect(scene.parent.asks).toEqual([]);
  });

  it("is lost as permission_refused when the server does not let it ask that parent", async () => {
    await using scene = await childScene();
    scene.port.permit({ publish: ["af.v1.test.audit.>"] });
    expect(await scene.child.decide(aCall())).toMatchObject({
      outcome: "lost",
      lost: "permission_refused",
    });
  });

  it("is lost as permission_refused when the server does not let it hear answers", async () => {
    await using scene = await childScene();
    const waiting = scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    scene.port.permit({ subscribe: ["af.v1.test.hb.>"] });
    scene.port.disconnect();
    scene.port.reconnect();
    expect(await waiting).toMatchObject({ outcome: "lost", lost: "permission_refused" });
    expect(await scene.child.decide(aCall())).toMatchObject({ lost: "permission_refused" });
  });

  it("is lost as bus_unreachable when the connection is closed for good", async () => {
    await using scene = await childScene();
    const waiting = scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    await settle();
    await scene.port.close();
    expect(await waiting).toMatchObject({ outcome: "lost", lost: "bus_unreachable" });
  });
});

describe("an ask that nobody answers in time", () => {
  it("is lost as timed_out by the child's own clock, and taken back until the parent says so", async () => {
    fakeTime();
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall(), { timeoutMs: 5_000 });
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await pass(5_050);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "timed_out" });
    expect((await outcome).text).not.toMatch(/user|denied/i);
    expect(scene.records("forwarded_permission.response_timed_out")).toHaveLength(1);
    await pass(3_000);
    expect(scene.parent.cancels.map(({ message }) => message.why)).toEqual([
      "timed_out",
      "timed_out",
      "timed_out",
    ]);
    scene.parent.withdraw(ask);
    await pass(60_000);
    expect(scene.parent.cancels).toHaveLength(3);
    expect(scene.journal.read.queuedCancels()).toEqual([]);
  });

  it("is not ended early by a wall clock that jumps ahead", async () => {
    fakeTime();
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall(), { timeoutMs: 60_000 });
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await settle();
    vi.setSystemTime(Date.now() + 24 * 60 * 60 * 1000);
    await pass(1_000);
    scene.parent.decide(ask);
    expect(await outcome).toMatchObject({ outcome: "allowed" });
  });

  it("takes no decision that comes after it was lost, and tells the parent that it came late", async () => {
    fakeTime();
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall(), { timeoutMs: 1_000 });
    const ask = await scene.ask();
    await pass(1_050);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "timed_out" });
    scene.parent.decide(ask);
    await pass(100);
    expect(scene.parent.receipts.map(({ message }) => message.effect)).toEqual(["late"]);
  });
});

describe("a call that is taken back", () => {
  it("ends as cancelled at once, and its ask is withdrawn", async () => {
    await using scene = await childScene();
    const abort = new AbortController();
    const outcome = scene.child.decide(aCall(), { signal: abort.signal });
    const ask = await scene.ask();
    abort.abort();
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "cancelled" });
    await settle();
    expect(scene.parent.cancels).toEqual([
      expect.objectContaining({ message: { requestId: ask.ask.id, why: "aborted" } }),
    ]);
    expect(scene.records("forwarded_permission.cancelled")).toHaveLength(1);
  });

  it("is not put to anybody when it was taken back before", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall(), { signal: AbortSignal.abort() });
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "cancelled" });
    await settle();
    expect(scene.parent.asks).toEqual([]);
  });

  it("leaves the other calls waiting", async () => {
    await using scene = await childScene();
    const abort = new AbortController();
    const one = scene.child.decide(aCall(), { signal: abort.signal });
    const other = scene.child.decide(aCall("make test"));
    expect((await scene.ask(0)).ask.value).toBe("make deploy");
    const second = await scene.ask(1);
    abort.abort();
    expect((await one).outcome).toBe("lost");
    scene.parent.decide(second);
    expect((await other).outcome).toBe("allowed");
  });

  it("is asked to be withdrawn again as soon as the connection is back", async () => {
    fakeTime();
    await using scene = await childScene();
    const abort = new AbortController();
    const outcome = scene.child.decide(aCall(), { signal: abort.signal });
    const ask = await scene.ask();
    scene.parent.accept(ask);
    await settle();
    scene.port.disconnect();
    await settle();
    abort.abort();
    await outcome;
    await settle();
    expect(scene.parent.cancels).toEqual([]);
    scene.port.reconnect();
    await settle();
    expect(scene.parent.cancels).toHaveLength(1);
    scene.parent.withdraw(ask);
    await settle();
    scene.port.disconnect();
    await settle();
    scene.port.reconnect();
    await settle();
    expect(scene.parent.cancels).toHaveLength(1);
  });
});

describe("a child that closes", () => {
  it("ends what is open as cancelled and decides nothing any more", async () => {
    await using scene = await childScene();
    const open = scene.child.decide(aCall());
    await scene.ask();
    await scene.child.close();
    expect(await open).toMatchObject({ outcome: "lost", lost: "cancelled" });
    expect(scene.parent.cancels).toHaveLength(1);
    expect(await scene.child.decide(aCall())).toMatchObject({ outcome: "lost", lost: "cancelled" });
  });
});

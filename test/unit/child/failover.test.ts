import { afterEach, describe, expect, it, vi } from "vitest";
import { aCall, childScene, fakeTime, pass, settle } from "../../support/child-scene.ts";
import { memoryBus } from "../../support/memory-bus.ts";
import {
  type HeardAsk,
  type ScriptedParent,
  scriptedParent,
} from "../../support/scripted-parent.ts";

afterEach(() => {
  vi.useRealTimers();
});

const TWO = { serving: false, otherParents: ["parent-2"] } as const;

/** The ask that moved there. */
function askedOf({ asks }: ScriptedParent): HeardAsk {
  const [ask] = asks;
  if (ask === undefined) throw new Error("the second parent was not asked");
  return ask;
}

describe("an ask whose first parent is not served", () => {
  it("moves to the next parent after the grace and is decided there under the same id", async () => {
    fakeTime();
    await using scene = await childScene(TWO);
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    const outcome = scene.child.decide(aCall());
    await pass(1_900);
    expect(scene.child.pending()).toMatchObject([{ parent: "parent-1", reach: "unserved" }]);
    expect(second.asks).toEqual([]);
    await pass(200);
    expect(scene.child.pending()).toMatchObject([{ parent: "parent-2", reach: "reachable" }]);
    const ask = askedOf(second);
    expect(ask.ask.targetSessionId).toBe("parent-2");
    second.accept(ask);
    second.decide(ask);
    await settle();
    expect(await outcome).toMatchObject({
      outcome: "allowed",
      requests: [
        {
          requestId: ask.ask.id,
          decidedBy: { kind: "forwarded", responderSessionId: "parent-2" },
        },
      ],
    });
    expect(scene.records("forwarded_permission.no_serving_session")).toMatchObject([
      { lost: "not_serving", targetSessionId: "parent-1", nextSessionId: "parent-2" },
    ]);
    const created = scene.records("forwarded_permission.request_created");
    expect(created.map((body) => body["targetSessionId"])).toEqual(["parent-1", "parent-2"]);
  });

  it("leaves a cancel that is repeated until the parent left answers it", async () => {
    fakeTime();
    await using scene = await childScene(TWO);
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    void scene.child.decide(aCall());
    await pass(2_100);
    const queued = { parent: "parent-1", why: "failover" };
    expect(scene.journal.read.queuedCancels()).toMatchObject([queued]);
    const first = scriptedParent(memoryBus(scene.broker));
    await pass(30_000);
    expect(first.cancels[0]?.message.why).toBe("failover");
    const ask = askedOf(second);
    first.withdraw(ask, "unknown");
    await settle();
    expect(scene.journal.read.queuedCancels()).toEqual([]);
    expect(first.asks).toEqual([]);
  });

  it("tells a late decision of the parent left that it has no effect, and is decided by the other one alone", async () => {
    fakeTime();
    await using scene = await childScene({ otherParents: ["parent-2"] });
    const outcome = scene.child.decide(aCall());
    const held = await scene.ask();
    scene.parent.close();
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    await pass(5_000);
    const ask = askedOf(second);
    const returned = scriptedParent(memoryBus(scene.broker));
    returned.accept(held);
    returned.decide(held);
    await settle();
    expect(returned.receipts.map(({ message }) => message.effect)).toEqual(["none"]);
    expect(scene.child.pending()).toMatchObject([{ parent: "parent-2" }]);
    second.accept(ask);
    second.decide(ask, { approved: false, state: "denied" });
    await settle();
    expect(await outcome).toMatchObject({ outcome: "denied" });
    expect(second.receipts.map(({ message }) => message.effect)).toEqual(["applied"]);
    expect(ask.ask.nonce).not.toBe(held.ask.nonce);
  });

  it("is lost as not_serving when no parent is served, after the grace of each", async () => {
    fakeTime();
    await using scene = await childScene(TWO);
    const outcome = scene.child.decide(aCall());
    await pass(3_900);
    expect(scene.child.pending()).toHaveLength(1);
    await pass(400);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "not_serving" });
  });

  it("does not move once a parent accepted it", async () => {
    fakeTime();
    await using scene = await childScene({ otherParents: ["parent-2"] });
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    void scene.child.decide(aCall());
    scene.parent.accept(await scene.ask());
    await settle();
    scene.parent.close();
    await pass(60_000);
    expect(second.asks).toEqual([]);
    expect(scene.child.pending()).toMatchObject([{ parent: "parent-1", reach: "unserved" }]);
  });

  it("is taken back at both parents by the next process when its own dies after the move", async () => {
    await using scene = await childScene({ ...TWO, unservedGraceMs: 0 });
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    const first = await scene.sibling();
    void first.child.decide(aCall());
    await vi.waitFor(() => {
      expect(second.asks).not.toEqual([]);
    });
    await first.kill();
    const returned = scriptedParent(memoryBus(scene.broker));
    await scene.sibling();
    await vi.waitFor(() => {
      expect(returned.cancels.at(-1)?.message.why).toBe("failover");
      expect(second.cancels.at(-1)?.message.why).toBe("child_restarted");
    });
  });
});

describe("an ask that the server does not let go to its first parent", () => {
  it("moves to the next one at once and says that it was refused", async () => {
    await using scene = await childScene({ otherParents: ["parent-2"] });
    const second = scriptedParent(memoryBus(scene.broker), "parent-2");
    scene.port.permit({ publish: ["af.v1.test.audit.>", "af.v1.test.ask.parent-2.>"] });
    void scene.child.decide(aCall());
    await vi.waitFor(() => {
      expect(second.asks).not.toEqual([]);
    });
    expect(scene.records("permission_forwarding.warning")).toMatchObject([
      { lost: "permission_refused", targetSessionId: "parent-1", nextSessionId: "parent-2" },
    ]);
  });
});

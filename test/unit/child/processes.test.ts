import { afterEach, describe, expect, it, vi } from "vitest";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { aCall, childScene, fakeTime, pass, settle } from "../../support/child-scene.ts";
import { aFolder, REAL_CLOCK } from "../../support/journal-parts.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("two processes of one child session", () => {
  it("each take the decision of their own ask only, and give the receipt once", async () => {
    await using scene = await childScene();
    const other = await scene.sibling();
    const mine = scene.child.decide(aCall());
    const first = await scene.ask(0);
    const theirs = other.child.decide(aCall("make test"));
    const second = await scene.ask(1);
    scene.parent.decide(second, { approved: false, state: "denied" });
    expect((await theirs).outcome).toBe("denied");
    expect(scene.child.pending()).toHaveLength(1);
    scene.parent.decide(first);
    expect((await mine).outcome).toBe("allowed");
    await settle();
    expect(scene.parent.receipts.map(({ message }) => [message.requestId, message.effect])).toEqual(
      [
        [second.ask.id, "applied"],
        [first.ask.id, "applied"],
      ],
    );
  });

  it("leave the open asks of the other alone when one of them starts", async () => {
    await using scene = await childScene();
    const mine = scene.child.decide(aCall());
    const ask = await scene.ask();
    await scene.sibling();
    await settle();
    expect(scene.parent.cancels).toEqual([]);
    scene.parent.decide(ask);
    expect((await mine).outcome).toBe("allowed");
  });

  it("share what was approved for this session", async () => {
    await using scene = await childScene();
    const other = await scene.sibling();
    const mine = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask(), { state: "approved_for_session" });
    await mine;
    expect(await other.child.decide(aCall("make test"))).toMatchObject({
      outcome: "allowed",
      requests: [{ resolution: "session_approved" }],
    });
  });
});

describe("an ask whose process died", () => {
  it("is cancelled by the next process, again and again until the parent answers", async () => {
    fakeTime();
    await using scene = await childScene();
    const dying = await scene.sibling();
    void dying.child.decide(aCall());
    const ask = await scene.ask();
    await dying.kill();
    await scene.sibling();
    await pass(3_500);
    expect(scene.parent.cancels.map(({ message }) => message)).toEqual(
      Array.from({ length: 3 }, () => ({ requestId: ask.ask.id, why: "child_restarted" })),
    );
    expect(scene.journal.read.childAsk(ask.ask.id)?.end).toMatchObject({
      outcome: "lost",
      lost: "cancelled",
    });
    expect(scene.records("forwarded_permission.cancelled")).toEqual([
      expect.objectContaining({ requestId: ask.ask.id, why: "child_restarted" }),
    ]);
    scene.parent.withdraw(ask, "unknown");
    await pass(40_000);
    expect(scene.parent.cancels).toHaveLength(3);
  });

  it("gets its late decision answered, so that the parent stops", async () => {
    await using scene = await childScene();
    const dying = await scene.sibling();
    void dying.child.decide(aCall());
    const ask = await scene.ask();
    await dying.kill();
    await scene.sibling();
    scene.parent.decide(ask);
    await settle();
    expect(scene.parent.receipts.map(({ message }) => message.effect)).toContain("late");
  });

  it("stays cancelled when the cancel was not answered before the next process ended too", async () => {
    const folder = aFolder();
    const journal = await openJournal({
      folder: folder.path,
      session: "child-1",
      clock: REAL_CLOCK,
    });
    journal.write((tx) =>
      tx.queueCancel({
        requestId: "perm-9",
        parent: "parent-1",
        why: "timed_out",
        queuedAt: Date.now(),
      }),
    );
    await using scene = await childScene({ journal });
    await settle();
    expect(scene.parent.cancels.map(({ message }) => message)).toEqual([
      { requestId: "perm-9", why: "timed_out" },
    ]);
    await journal.close(false);
    folder[Symbol.dispose]();
  });
});

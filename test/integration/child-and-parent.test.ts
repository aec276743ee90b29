import { describe, expect, it } from "vitest";
import type { Child } from "../../src/child/child.ts";
import { openChild } from "../../src/child/open-child.ts";
import { aCall, pass } from "../support/child-scene.ts";
import { aFolder } from "../support/journal-parts.ts";
import { memoryBus } from "../support/memory-bus.ts";
import type { MemoryPort } from "../support/memory-port.ts";
import { type ParentStage, setStage } from "../support/parent-stage.ts";

interface Asker extends AsyncDisposable {
  readonly child: Child;
  readonly port: MemoryPort;
}

/** A child of session `child-1` on the stage's broker, with a folder of its own. */
async function anAsker(stage: ParentStage): Promise<Asker> {
  const folder = aFolder();
  const bus = memoryBus(stage.broker);
  const child = await openChild({
    bus,
    session: "child-1",
    parent: "parent-1",
    data: folder.path,
    rules: {},
    home: "/home/op",
    platform: "linux",
  });
  return {
    child,
    port: bus.port,
    [Symbol.asyncDispose]: async () => {
      await child.close();
      await bus.port.close();
      folder[Symbol.dispose]();
    },
  };
}

const idOf = (asker: Asker): string => String(asker.child.pending()[0]?.requestId);

describe("a child and its parent", () => {
  it("settle a call by the parent's rules, and the child names the rule and its reason", async () => {
    await using stage = setStage();
    await stage.start();
    await using asker = await anAsker(stage);
    expect(await asker.child.decide(aCall("git status"))).toMatchObject({
      outcome: "allowed",
      requests: [
        {
          resolution: "policy_allow",
          decidedBy: {
            kind: "forwarded",
            responderSessionId: "parent-1",
            decision: { kind: "rule", surface: "bash", pattern: "git status" },
          },
        },
      ],
    });
    const denied = await asker.child.decide(aCall("rm notes.txt"));
    expect(denied).toMatchObject({ outcome: "denied", requests: [{ resolution: "policy_deny" }] });
    expect(denied.text).toContain("nothing is removed here");
    expect(denied.text).not.toMatch(/user/i);
  });

  it("carry a person's verdict through the death of the parent, under one id, once", async () => {
    await using stage = setStage();
    const first = await stage.start();
    await using asker = await anAsker(stage);
    const outcome = asker.child.decide(aCall("git push origin main"));
    await pass(100);
    const id = idOf(asker);
    expect(first.terminal.of(id).ask.reprompt).toBe(0);
    await first.kill();
    await pass(15_000, 250);
    expect(asker.child.pending()[0]).toMatchObject({
      requestId: id,
      reach: expect.stringMatching(/^(silent|unserved)$/) as string,
      parentGoneSince: expect.any(Number) as number,
    });
    const second = await stage.start();
    await pass(1_500);
    expect(second.terminal.of(id).ask.reprompt).toBe(1);
    second.terminal.allow(id);
    expect(await outcome).toMatchObject({
      outcome: "allowed",
      requests: [{ requestId: id, resolution: "user_approved" }],
    });
    await pass(100);
    expect(second.terminal.of(id).effects).toEqual(["counted"]);
    expect(second.journal.read.servedAsk(id)?.receipt).toBe("applied");
  });

  it("lose nothing when the verdict is given while the child has no connection", async () => {
    await using stage = setStage();
    const process = await stage.start();
    await using asker = await anAsker(stage);
    const outcome = asker.child.decide(aCall("git push origin main"));
    await pass(100);
    const id = idOf(asker);
    asker.port.disconnect();
    await pass(100);
    process.terminal.deny(id, "use the staging branch");
    await pass(5_000);
    asker.port.reconnect();
    await pass(100);
    expect(await outcome).toMatchObject({
      outcome: "denied",
      text: expect.stringContaining("use the staging branch") as string,
    });
    expect(process.terminal.put).toHaveLength(1);
  });

  it("withdraw the prompt of a call that was taken back, and agree that nobody decided", async () => {
    await using stage = setStage();
    const process = await stage.start();
    await using asker = await anAsker(stage);
    const abort = new AbortController();
    const outcome = asker.child.decide(aCall("git push origin main"), { signal: abort.signal });
    await pass(100);
    const id = idOf(asker);
    abort.abort();
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "cancelled" });
    await pass(100);
    expect(process.terminal.of(id).signal.aborted).toBe(true);
    expect(process.journal.read.servedAsk(id)?.end?.kind).toBe("withdrawn");
    const cancels = stage.broker.log.filter(({ subject }) => subject.includes(".cancel."));
    await pass(60_000);
    expect(stage.broker.log.filter(({ subject }) => subject.includes(".cancel."))).toHaveLength(
      cancels.length,
    );
  });

  it("remember an approval for the child's session at the child, and ask nobody again", async () => {
    await using stage = setStage();
    const process = await stage.start();
    await using asker = await anAsker(stage);
    const first = asker.child.decide(aCall("git push origin main"));
    await pass(100);
    process.terminal.allow(idOf(asker), "child_session");
    expect(await first).toMatchObject({ outcome: "allowed" });
    expect(await asker.child.decide(aCall("git push origin dev"))).toMatchObject({
      outcome: "allowed",
      requests: [{ resolution: "session_approved" }],
    });
    expect(process.terminal.put).toHaveLength(1);
  });

  it("end at the child's deadline, and the parent's later verdict is recorded as late", async () => {
    await using stage = setStage();
    const process = await stage.start();
    await using asker = await anAsker(stage);
    const outcome = asker.child.decide(aCall("git push origin main"), { timeoutMs: 2_000 });
    await pass(100);
    const id = idOf(asker);
    asker.port.disconnect();
    await pass(1_000);
    process.terminal.allow(id);
    await pass(1_500);
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "timed_out" });
    asker.port.reconnect();
    await pass(3_000);
    expect(process.journal.read.servedAsk(id)?.receipt).toBe("late");
    expect(stage.story(process, id)).toContain("forwarded_permission.late_decision");
  });
});

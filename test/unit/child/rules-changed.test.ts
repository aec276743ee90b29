import { describe, expect, it } from "vitest";
import { aCall, childScene, rulesOf, settle } from "../../support/child-scene.ts";

const OUTSIDE = { toolName: "write", input: { path: "/srv/other/a.txt", content: "x" } } as const;

describe("an ask that waits while the rules of its child change", () => {
  it("is taken back and denied by a rule that denies it now", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    scene.child.setRules(rulesOf({ bash: { "make *": "deny" } }));
    expect(await outcome).toMatchObject({
      outcome: "denied",
      requests: [
        {
          requestId: ask.ask.id,
          resolution: "policy_deny",
          decidedBy: { kind: "rule", surface: "bash", pattern: "make *", origin: "global" },
        },
      ],
    });
    expect(scene.parent.cancels).toMatchObject([{ message: { why: "aborted" } }]);
    expect(scene.records("forwarded_permission.cancelled")).toHaveLength(1);
    expect(scene.records("permission_request.blocked")).toMatchObject([
      { resolution: "policy_denied" },
    ]);
    expect(scene.records().filter(({ result }) => result !== undefined)).toMatchObject([
      { result: "deny", resolution: "policy_deny" },
    ]);
  });

  it("is taken back and runs by a rule that allows it now, which is on disk by then", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.child.setRules(rulesOf({ bash: { "make *": "allow" } }));
    expect(await outcome).toMatchObject({
      outcome: "allowed",
      requests: [{ requestId: ask.ask.id, resolution: "policy_allow" }],
    });
    expect(scene.records().filter(({ result }) => result !== undefined)).toMatchObject([
      { result: "allow", resolution: "policy_allow" },
    ]);
    scene.parent.decide(ask, { approved: false, state: "denied" });
    await settle();
    expect(scene.parent.receipts.map(({ message }) => message.effect)).not.toContain("applied");
  });

  it("is denied when another request of its call is denied now", async () => {
    await using scene = await childScene({ rules: rulesOf({ bash: "allow" }) });
    const outcome = scene.child.decide(aCall("", OUTSIDE));
    await scene.ask();
    scene.child.setRules(rulesOf({ write: { "*a.txt": "deny" } }));
    expect(await outcome).toMatchObject({
      outcome: "denied",
      requests: [{ decidedBy: { kind: "rule", surface: "write" } }],
    });
  });

  it("stays with its parent when the new rules ask as well", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.child.setRules(rulesOf({ bash: { "make *": "ask", "rm *": "deny" } }));
    await settle();
    expect(scene.parent.cancels).toEqual([]);
    scene.parent.decide(ask);
    expect((await outcome).outcome).toBe("allowed");
  });

  it("is judged by the last rules when they change twice at once", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    await scene.ask();
    scene.child.setRules(rulesOf({ bash: "allow" }));
    scene.child.setRules(rulesOf({ bash: "deny" }));
    expect(await outcome).toMatchObject({
      outcome: "denied",
      requests: [{ resolution: "policy_deny" }],
    });
  });

  it("is taken back as the caller wants it, whatever the new rules say", async () => {
    await using scene = await childScene();
    const caller = new AbortController();
    const outcome = scene.child.decide(aCall(), { signal: caller.signal });
    await scene.ask();
    caller.abort();
    scene.child.setRules(rulesOf({ bash: "allow" }));
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "cancelled" });
  });

  it("leaves nothing allowed of a later request that its call raises", async () => {
    const rules = rulesOf({ external_directory: "ask", write: "allow" });
    await using scene = await childScene({ rules });
    const outcome = scene.child.decide(aCall("", OUTSIDE));
    scene.child.setRules(rulesOf({ external_directory: "ask", write: "ask" }));
    const first = await scene.ask();
    scene.parent.decide(first);
    const second = await scene.ask(1);
    expect(second.ask.surface).toBe("write");
    scene.parent.decide(second, { approved: false, state: "denied" });
    expect((await outcome).outcome).toBe("denied");
  });
});

describe("an ask that waits while an approval of another leaves a grant", () => {
  it("runs by the grant, and its parent is told that it is taken back", async () => {
    await using scene = await childScene();
    const first = scene.child.decide(aCall("make one"));
    const ask = await scene.ask();
    const second = scene.child.decide(aCall("make two"));
    const waiting = await scene.ask(1);
    scene.parent.accept(waiting);
    scene.parent.decide(ask, { state: "approved_for_session" });
    expect(await first).toMatchObject({
      outcome: "allowed",
      requests: [{ resolution: "user_approved_for_session" }],
    });
    expect(await second).toMatchObject({
      outcome: "allowed",
      requests: [{ requestId: waiting.ask.id, resolution: "session_approved" }],
    });
    expect(scene.parent.cancels).toMatchObject([{ message: { requestId: waiting.ask.id } }]);
  });

  it("waits on when the grant does not cover it", async () => {
    await using scene = await childScene();
    const first = scene.child.decide(aCall("make one"));
    const ask = await scene.ask();
    const second = scene.child.decide(aCall("npm publish"));
    const waiting = await scene.ask(1);
    scene.parent.decide(ask, { state: "approved_for_session" });
    await first;
    await settle();
    expect(scene.parent.cancels).toEqual([]);
    scene.parent.decide(waiting, { approved: false, state: "denied" });
    expect((await second).outcome).toBe("denied");
  });
});

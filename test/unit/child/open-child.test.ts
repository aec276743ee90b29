import { describe, expect, it } from "vitest";
import { aCall, childScene, rulesOf, settle } from "../../support/child-scene.ts";

const OUTSIDE = { toolName: "write", input: { path: "/srv/other/a.txt", content: "x" } } as const;

describe("a call that the rules of its machine settle", () => {
  it("runs without asking anybody when a rule allows it, and its record is on disk by then", async () => {
    await using scene = await childScene({ rules: rulesOf({ bash: { "make *": "allow" } }) });
    const outcome = await scene.child.decide(aCall());
    expect(outcome).toMatchObject({
      outcome: "allowed",
      requests: [
        {
          resolution: "policy_allow",
          decidedBy: { kind: "rule", surface: "bash", pattern: "make *", origin: "global" },
        },
      ],
    });
    expect(scene.records()).toEqual([
      expect.objectContaining({ result: "allow", resolution: "policy_allow" }),
    ]);
    await settle();
    expect(scene.parent.asks).toEqual([]);
  });

  it("is denied by a rule, with the rule's reason and a record that says so", async () => {
    const rules = rulesOf({ bash: { "make *": "deny" } });
    await using scene = await childScene({ rules });
    const outcome = await scene.child.decide(aCall());
    expect(outcome).toMatchObject({
      outcome: "denied",
      requests: [{ outcome: "denied", resolution: "policy_deny" }],
    });
    expect(outcome.text).toContain('bash rule "make *"');
    expect(scene.records("permission_request.blocked")).toEqual([
      expect.objectContaining({ resolution: "policy_denied", toolCallId: "call-1" }),
    ]);
  });

  it("is denied before anybody is asked about another request of the same call", async () => {
    const rules = rulesOf({ external_directory: "ask", write: "deny" });
    await using scene = await childScene({ rules });
    const outcome = await scene.child.decide(aCall("", OUTSIDE));
    expect(outcome.outcome).toBe("denied");
    expect(outcome.requests.map(({ surface }) => surface)).toEqual(["write"]);
    await settle();
    expect(scene.parent.asks).toEqual([]);
  });

  it("is judged by other rules from the moment they are set", async () => {
    await using scene = await childScene({ rules: rulesOf({ bash: "deny" }) });
    expect((await scene.child.decide(aCall())).outcome).toBe("denied");
    scene.child.setRules(rulesOf({ bash: "allow" }));
    expect((await scene.child.decide(aCall())).outcome).toBe("allowed");
  });
});

describe("a call that the parent settles", () => {
  it("runs when a person at the parent approved it", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    scene.parent.decide(ask);
    expect(await outcome).toMatchObject({
      outcome: "allowed",
      requests: [
        {
          requestId: ask.ask.id,
          surface: "bash",
          value: "make deploy",
          outcome: "allowed",
          resolution: "user_approved",
          state: "approved",
          decidedBy: {
            kind: "forwarded",
            responderSessionId: "parent-1",
            decision: { kind: "user", via: "dialog" },
          },
        },
      ],
    });
    await settle();
    expect(scene.parent.receipts.map(({ message }) => message.effect)).toEqual(["applied"]);
  });

  it("is denied with the words of the person, byte for byte", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.decide(ask, {
      approved: false,
      state: "denied_with_reason",
      denialReason: "use the staging branch",
    });
    expect(await outcome).toMatchObject({
      outcome: "denied",
      requests: [{ state: "denied_with_reason", resolution: "user_denied" }],
    });
    expect((await outcome).text).toContain("use the staging branch");
    expect(scene.records("permission_request.denied")).toEqual([
      expect.objectContaining({
        resolution: "denied_with_reason",
        denialReason: "use the staging branch",
      }),
    ]);
  });

  it("is lost, and nobody is said to have denied, when the parent could not decide", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask(), {
      approved: false,
      state: "denied",
      decidedBy: { kind: "unavailable", reason: "no terminal is attached" },
    });
    expect(await outcome).toMatchObject({
      outcome: "lost",
      lost: "not_serving",
      requests: [{ resolution: "confirmation_unavailable" }],
    });
    expect((await outcome).text).toContain("no terminal is attached");
    expect((await outcome).text).not.toMatch(/user|denied/i);
    expect(scene.records("permission_request.denied")).toEqual([]);
  });

  it("is lost with the reason the parent gives when it refuses the ask", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    scene.parent.refuse(await scene.ask(), "parent_shut_down");
    expect(await outcome).toMatchObject({ outcome: "lost", lost: "parent_shut_down" });
    expect(scene.records("permission_forwarding.warning")).toEqual([
      expect.objectContaining({ lost: "parent_shut_down", at: "parent-1" }),
    ]);
  });

  it("carries its facts, its principal and its join keys", async () => {
    await using scene = await childScene({ host: "host-b" });
    void scene.child.decide(aCall());
    const { ask } = await scene.ask();
    expect(ask).toMatchObject({
      requesterSessionId: "child-1",
      targetSessionId: "parent-1",
      requesterAgentName: "reviewer",
      source: "tool_call",
      surface: "bash",
      value: "make deploy",
      toolCallId: "call-1",
      payload: {
        kind: "bash",
        request: {
          requester: { agentName: "reviewer", forwarded: false, sessionId: null, host: "host-b" },
          surface: "bash",
          value: "make deploy",
        },
      },
      accessIntent: {
        surface: "bash",
        matchValues: ["make deploy"],
        requesterCwd: "/srv/app",
        principal: { sessionId: "child-1", agentName: "reviewer" },
      },
      sessionApproval: { grants: [{ surface: "bash", pattern: "make *" }] },
    });
    expect(ask.actionDigest).toMatch(/^[\w-]{43}$/);
    expect(ask.nonce).toMatch(/^[\w-]{43}$/);
    expect(ask.expiresAt - ask.createdAt).toBe(600_000);
  });

  it("says that it is nobody in particular when its child has no name", async () => {
    await using scene = await childScene({ agentName: "unknown" });
    void scene.child.decide(aCall());
    const { ask } = await scene.ask();
    expect(ask.requesterAgentName).toBe("unknown");
    expect(ask.payload?.request.requester.agentName).toBeNull();
    expect(ask.accessIntent?.principal.agentName).toBe("unknown");
  });
});

describe("a call that raises several requests", () => {
  it("has each approved by itself: one approval lets only its own request through", async () => {
    await using scene = await childScene({
      rules: rulesOf({ external_directory: "ask", write: "ask" }),
    });
    const outcome = scene.child.decide(aCall("", OUTSIDE));
    const first = await scene.ask(0);
    scene.parent.decide(first);
    const second = await scene.ask(1);
    expect(second.ask.id).not.toBe(first.ask.id);
    scene.parent.decide(second, { approved: false, state: "denied" });
    const { outcome: word, requests } = await outcome;
    expect(word).toBe("denied");
    expect(requests.map(({ requestId, outcome: one }) => [requestId, one])).toEqual([
      [first.ask.id, "allowed"],
      [second.ask.id, "denied"],
    ]);
  });

  it("stops at the first refusal", async () => {
    await using scene = await childScene({
      rules: rulesOf({ external_directory: "ask", write: "ask" }),
    });
    const outcome = scene.child.decide(aCall("", OUTSIDE));
    scene.parent.decide(await scene.ask(), { approved: false, state: "denied" });
    expect((await outcome).requests).toHaveLength(1);
    await settle();
    expect(scene.parent.asks).toHaveLength(1);
  });

  it("puts two identical calls as two asks, and approves one of them", async () => {
    await using scene = await childScene();
    const calls = [scene.child.decide(aCall()), scene.child.decide(aCall())];
    const [one, other] = [await scene.ask(0), await scene.ask(1)];
    expect(one.ask.id).not.toBe(other.ask.id);
    scene.parent.decide(one);
    scene.parent.decide(other, { approved: false, state: "denied" });
    const words = (await Promise.all(calls)).map(({ outcome }) => outcome);
    expect(words).toEqual(["allowed", "denied"]);
  });
});

describe("an approval for this session", () => {
  it("is remembered: the next such call runs by it, and the record names the grant", async () => {
    await using scene = await childScene();
    const first = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.decide(ask, {
      state: "approved_for_session",
      decidedBy: { kind: "user", via: "inbox", approver: "op-1" },
    });
    expect(await first).toMatchObject({
      outcome: "allowed",
      requests: [{ resolution: "user_approved_for_session" }],
    });
    const next = await scene.child.decide(aCall("make test"));
    const [grant] = scene.journal.read.grants(Date.now(), "child_session");
    expect(next.requests).toEqual([
      expect.objectContaining({
        resolution: "session_approved",
        decidedBy: {
          kind: "session_approval",
          surface: "bash",
          pattern: "make *",
          grantId: grant?.grantId,
        },
      }),
    ]);
    expect(grant).toMatchObject({ requestId: ask.ask.id, grantedBy: "op-1", uses: 1 });
    expect(Number(grant?.expiresAt) - Number(grant?.grantedAt)).toBe(8 * 60 * 60 * 1000);
    expect(scene.records("grant.recorded")).toEqual([
      expect.objectContaining({ grantId: grant?.grantId, scope: "child_session" }),
    ]);
    expect(scene.records("permission_request.session_approved")).toHaveLength(1);
  });

  it("settles another ask of the same kind that was not put yet, in the very call", async () => {
    const rules = rulesOf({ external_directory: "ask", write: "ask" });
    await using scene = await childScene({ rules });
    const waiting = scene.child.decide(aCall("", OUTSIDE));
    scene.parent.decide(await scene.ask(0), { state: "approved_for_session" });
    scene.parent.decide(await scene.ask(1), { state: "approved_for_session" });
    expect((await waiting).outcome).toBe("allowed");
    expect((await scene.child.decide(aCall("", OUTSIDE))).outcome).toBe("allowed");
    expect(scene.parent.asks).toHaveLength(2);
  });

  it("leaves nothing behind when it was approved once only", async () => {
    await using scene = await childScene();
    const first = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask());
    await first;
    void scene.child.decide(aCall());
    expect((await scene.ask(1)).ask.value).toBe("make deploy");
    expect(scene.journal.read.grants(Date.now(), "child_session")).toEqual([]);
  });

  it("does not lift a deny that was set later", async () => {
    await using scene = await childScene();
    const first = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask(), { state: "approved_for_session" });
    await first;
    scene.child.setRules(rulesOf({ bash: { "make deploy": "deny" } }));
    expect((await scene.child.decide(aCall())).outcome).toBe("denied");
  });
});

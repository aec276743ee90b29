import { describe, expect, it } from "vitest";
import {
  aTree,
  decideCommand,
  inShort,
  recordsOnceDecided,
  requestIdOf,
  shownAt,
} from "../../support/relay-family.ts";
import { until } from "../../support/until.ts";

const OPEN = { bash: { "*": "ask" } };
const MAKES = { bash: { "*": "ask", "make *": "allow" } };

describe("an ask that a relay passes on", () => {
  it("is answered by the rule of the session above, and the answer names both sessions", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: MAKES });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const outcome = await decideCommand(child, "make all");
    expect(outcome).toMatchObject({ outcome: "allowed" });
    expect(outcome.requests[0]?.decidedBy).toEqual({
      kind: "forwarded",
      responderSessionId: "mid",
      decision: {
        kind: "forwarded",
        responderSessionId: "root",
        decision: { kind: "rule", surface: "bash", pattern: "make *", origin: "global" },
      },
    });
    const id = requestIdOf(outcome);
    await until(
      "root has the receipt",
      () => root.journal.read.servedAsk(id)?.receipt === "applied",
    );
  });

  it("leaves the entries of both roles at the relay, in the order of cause, under one id", async () => {
    await using tree = aTree();
    await tree.serve("root", { rules: MAKES });
    await tree.serve("mid", {
      rules: OPEN,
      parent: "root",
      options: { authorizerChain: ["looks"] },
    });
    const child = await tree.child("leaf", "mid");
    const outcome = await decideCommand(child, "make all");
    const records = await recordsOnceDecided(tree, "mid");
    expect(records.map(inShort)).toEqual([
      "forwarded_permission.serving_started",
      "forwarded_permission.relay_started",
      "forwarded_permission.accepted",
      "forwarded_permission.request_created",
      "authorizer_chain_delegated",
      "forwarded_permission.response_received",
      "forwarded_permission.approved",
      "decision policy_allow",
    ]);
    const ids = records.slice(2).map((record) => record["requestId"]);
    expect(new Set(ids)).toEqual(new Set([requestIdOf(outcome)]));
    expect(records[3]).toMatchObject({
      requesterSessionId: "mid",
      targetSessionId: "root",
      origin: { sessionId: "leaf", agentName: "unknown" },
      path: ["leaf", "mid"],
    });
    expect(records[6]).toMatchObject({ requesterSessionId: "leaf", via: ["mid", "root"] });
    expect(JSON.stringify(records)).not.toContain("nonce");
  });

  it("is shown to the person above with where it began and what it passed, and facts as they came", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid", { agentName: "worker" });
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    expect(ask.details).toMatchObject({
      agentName: "worker",
      forwarding: { requesterAgentName: "worker", requesterSessionId: "leaf", via: ["mid"] },
      payload: { request: { requester: { agentName: "worker", sessionId: "leaf" } } },
      accessIntent: { surface: "bash", matchValues: ["make all"] },
      sessionApproval: { grants: [{ surface: "bash", pattern: "make *" }] },
    });
    root.terminal.deny(ask.details.requestId, "not today");
    const outcome = await deciding;
    expect(outcome).toMatchObject({ outcome: "denied" });
    expect(outcome.text).toContain('saying "not today"');
    expect(outcome.text).not.toMatch(/mid|root/);
  });

  it("passes three sessions under one id", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    await tree.serve("upper", { rules: OPEN, parent: "root" });
    await tree.serve("mid", { rules: OPEN, parent: "upper" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    expect(ask.details.forwarding?.via).toEqual(["mid", "upper"]);
    root.terminal.allow(ask.details.requestId);
    const { requests } = await deciding;
    expect(requests).toMatchObject([{ requestId: ask.details.requestId, outcome: "allowed" }]);
    expect(JSON.stringify(requests[0]?.decidedBy).match(/responderSessionId":"\w+/g)).toEqual([
      'responderSessionId":"mid',
      'responderSessionId":"upper',
      'responderSessionId":"root',
    ]);
  });

  it("is not put above when a rule of the relay decides", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: MAKES });
    await tree.serve("mid", { rules: { bash: { "*": "ask", "make *": "deny" } }, parent: "root" });
    const child = await tree.child("leaf", "mid");
    expect(await decideCommand(child, "make all")).toMatchObject({ outcome: "denied" });
    expect(root.parent.counters()["asks"]).toBeUndefined();
  });

  it("is kept as a grant by the session that asked, and by no relay", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const mid = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    root.terminal.allow(ask.details.requestId, "child_session");
    expect((await deciding).requests[0]).toMatchObject({ state: "approved_for_session" });
    expect(await decideCommand(child, "make more")).toMatchObject({ outcome: "allowed" });
    expect(root.terminal.put).toHaveLength(1);
    const now = Date.now();
    for (const { journal } of [mid, root]) {
      expect(journal.read.grants(now, "child_session")).toEqual([]);
      expect(journal.read.grants(now, "serving_session")).toEqual([]);
    }
  });

  it("is kept as a grant by the session that decided, when it is given for all its children", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    root.terminal.allow(ask.details.requestId, "serving_session");
    expect((await deciding).requests[0]).toMatchObject({ state: "approved" });
    expect(await decideCommand(child, "make more")).toMatchObject({ outcome: "allowed" });
    expect(root.terminal.put).toHaveLength(1);
    expect(root.journal.read.grants(Date.now(), "serving_session")).toHaveLength(1);
  });
});

describe("an ask that is taken back", () => {
  it("leaves the screen of the person above, who is told that it ended", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const mid = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const abort = new AbortController();
    const deciding = decideCommand(child, "make all", { signal: abort.signal });
    const { ask, signal } = await shownAt(root);
    const { requestId } = ask.details;
    abort.abort();
    expect(await deciding).toMatchObject({ outcome: "lost", lost: "cancelled" });
    await until("the prompt is taken back", () => signal.aborted);
    await until("mid knows", () => mid.journal.read.queuedCancels().length === 0);
    expect(mid.journal.read.servedAsk(requestId)?.end?.kind).toBe("withdrawn");
    expect(mid.journal.read.childAsk(requestId)?.end).toMatchObject({ outcome: "lost" });
    expect(root.journal.read.servedAsk(requestId)?.end?.kind).toBe("withdrawn");
  });

  it("is recorded as late above when its child had given up before the answer came", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { ask } = await shownAt(root);
    const { requestId } = ask.details;
    await child.close();
    expect(await deciding).toMatchObject({ outcome: "lost" });
    root.terminal.allow(requestId);
    await until("root records it", async () =>
      (await tree.records("root")).some(
        ({ event }) => event === "forwarded_permission.late_decision",
      ),
    );
  });

  it("ends at the deadline of the child everywhere", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const mid = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all", { timeoutMs: 400 });
    const { ask, signal } = await shownAt(root);
    expect(ask.expiresAt - Date.now()).toBeLessThanOrEqual(400);
    expect(await deciding).toMatchObject({ outcome: "lost", lost: "timed_out" });
    await until("the prompt is taken back", () => signal.aborted);
    const { requestId } = ask.details;
    await until("mid has ended it", () => mid.journal.read.childAsk(requestId)?.end !== null);
  });
});

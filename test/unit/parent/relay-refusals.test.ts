import { assert, describe, expect, it } from "vitest";
import { openChildLine } from "../../../src/bus/child-line.ts";
import { anAsk } from "../../support/asks.ts";
import { memoryBus } from "../../support/memory-bus.ts";
import { aTree, decideCommand, inShort, shownAt } from "../../support/relay-family.ts";
import { rules } from "../../support/rules.ts";
import { scriptedParent } from "../../support/scripted-parent.ts";
import { until } from "../../support/until.ts";

const OPEN = { bash: { "*": "ask" } };
const MAKES = { bash: { "*": "ask", "make *": "allow" } };

describe("an ask that cannot go up", () => {
  it("is lost as not_serving within seconds when nobody serves above, and says where", async () => {
    await using tree = aTree();
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const outcome = await decideCommand(child, "make all");
    expect(outcome).toMatchObject({ outcome: "lost", lost: "not_serving" });
    expect(outcome.requests[0]?.decidedBy).toEqual({
      kind: "forwarded",
      responderSessionId: "mid",
      decision: { kind: "unavailable", reason: "not_serving", at: "mid" },
    });
    expect(outcome.text).toContain("for the session that was asked, no process serves");
    expect(outcome.text).not.toContain("user");
  });

  it("is lost as loop when the sessions form a circle, whoever is asked", async () => {
    await using tree = aTree();
    await tree.serve("mid", { rules: OPEN, parent: "root" });
    await tree.serve("root", { rules: OPEN, parent: "mid" });
    const child = await tree.child("leaf", "mid");
    const outcome = await decideCommand(child, "make all");
    expect(outcome).toMatchObject({ outcome: "lost", lost: "loop" });
    expect(outcome.text).toContain("came back to a session it had passed");
  });

  it("is lost as too_deep after eight sessions and decided before", async () => {
    await using tree = aTree();
    await tree.serve("s9", { rules: MAKES });
    for (let nth = 8; nth >= 0; nth -= 1) {
      await tree.serve(`s${String(nth)}`, { rules: OPEN, parent: `s${String(nth + 1)}` });
    }
    const near = await tree.child("near", "s1");
    const far = await tree.child("far", "s0");
    expect(await decideCommand(near, "make all")).toMatchObject({ outcome: "lost" });
    expect(await decideCommand(far, "make all")).toMatchObject({
      outcome: "lost",
      lost: "too_deep",
    });
    const nearest = await tree.child("nearest", "s2");
    expect(await decideCommand(nearest, "make all")).toMatchObject({ outcome: "allowed" });
  });
});

describe("what a relay tells", () => {
  it("gives its open asks back and takes them back above when it is stopped in order", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const mid = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const child = await tree.child("leaf", "mid");
    const deciding = decideCommand(child, "make all");
    const { signal } = await shownAt(root);
    await mid.parent.close({ answerOpen: true });
    expect(await deciding).toMatchObject({ outcome: "lost", lost: "parent_shut_down" });
    await until("the prompt is taken back", () => signal.aborted);
    expect((await tree.records("mid")).map(inShort)).toContain(
      "forwarded_permission.relay_stopped",
    );
  });

  it("lets no link of another session allow what no link may allow", async () => {
    await using tree = aTree();
    const above = scriptedParent(memoryBus(tree.broker), "root");
    await tree.serve("mid", {
      rules: { path: { "*": "ask" }, bash: { "*": "ask" } },
      parent: "root",
    });
    const child = await tree.child("leaf", "mid", {
      rules: { global: rules({ path: { "*": "ask" }, read: { "*": "allow" } }) },
    });
    const deciding = child.decide({ toolName: "read", input: { path: "a.txt" }, cwd: "/srv/app" });
    const heard = await until("it is put above", () => above.asks[0]);
    expect(heard.ask.accessIntent?.surface).toBe("path_read");
    const decidedBy = { kind: "authorizer", name: "lax", verdict: "allow", reason: null } as const;
    above.decide(heard, { decidedBy });
    const outcome = await deciding;
    expect(outcome).toMatchObject({ outcome: "lost", lost: "gate_error" });
    above.close();
  });

  it("asks the session above no second time for an id that is its own", async () => {
    await using tree = aTree();
    const root = await tree.serve("root", { rules: OPEN });
    const mid = await tree.serve("mid", { rules: OPEN, parent: "root" });
    const own = await tree.child("mid", "root");
    const owned = decideCommand(own, "make own");
    const { ask } = await shownAt(root);
    const line = openChildLine({
      bus: memoryBus(tree.broker),
      session: "leaf",
      pending: () => undefined,
      onInbound: () => undefined,
    });
    const now = Date.now();
    const sealed = line.seal(
      anAsk({
        id: ask.details.requestId,
        requesterSessionId: "leaf",
        targetSessionId: "mid",
        createdAt: now,
        expiresAt: now + 60_000,
      }),
    );
    assert(sealed !== null);
    line.publishAsk(sealed, 60_000);
    await until(
      "mid has ended it",
      () => mid.journal.read.servedAsk(ask.details.requestId)?.end?.kind === "decision",
    );
    expect(mid.journal.read.servedAsk(ask.details.requestId)?.end?.answer).toContain(
      "rid_conflict",
    );
    root.terminal.allow(ask.details.requestId);
    expect(await owned).toMatchObject({ outcome: "allowed" });
    line.close();
  });
});

import { describe, expect, it } from "vitest";
import { operatorTerminal } from "../../../src/parent/operator-terminal.ts";
import { command } from "../../support/child-double.ts";
import { operatorDouble } from "../../support/operator-double.ts";
import { setStage } from "../../support/parent-stage.ts";

const LONG = {
  requestId: "perm-1",
  surface: "bash",
  pattern: "x".repeat(5_000),
  width: "proven",
  scope: "child_session",
  grantedBy: null,
  uses: 0,
} as const;

describe("an operator's answer that leaves a grant", () => {
  it("names its operator, and answers the next ask without asking anybody", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const first = child.ask(command("git push")).ask;
    await stage.flush();
    const operator = operatorDouble(stage);
    await operator.answer(first.id, "allow", { scope: "serving_session" });
    await stage.flush();
    const next = child.ask(command("git push")).ask;
    await stage.pass(20);
    expect(child.about(next.id, "decision")[0]?.message).toMatchObject({
      decidedBy: { kind: "session_approval", pattern: "git push" },
    });
    expect(await operator.want({ op: "grants", wants: {} })).toMatchObject({
      op: "grants",
      grants: [{ requestId: first.id, grantedBy: "alice", scope: "serving_session", uses: 1 }],
    });
    expect(stage.story(process, first.id)).toContain("grant.recorded");
  });

  it("for the child's session goes to the child, with the width that was said", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const grants = [{ surface: "path_read", pattern: "/srv/*" }];
    const { ask } = child.ask({ ...command("git push"), sessionApproval: { grants } });
    await stage.flush();
    const more = { scope: "child_session", width: "family" };
    await operatorDouble(stage).answer(ask.id, "allow", more);
    await stage.flush();
    expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
      approved: true,
      state: "approved_for_session",
      sessionGrantWidth: "family",
    });
  });

  it("is taken back by an operator, and the next ask goes to the person again", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const first = child.ask(command("git push")).ask;
    await stage.flush();
    const operator = operatorDouble(stage);
    await operator.answer(first.id, "allow", { scope: "serving_session" });
    const [grant] = process.journal.read.grants(stage.clock.now(), "serving_session");
    const grantId = String(grant?.grantId);
    expect(await operatorDouble(stage, "bob").want({ op: "revoke", wants: { grantId } })).toEqual({
      op: "revoke",
      revoked: grant,
    });
    const next = child.ask(command("git push")).ask;
    await stage.flush();
    expect(process.terminal.put.at(-1)?.ask.details.requestId).toBe(next.id);
    const revoked = stage.records(process).filter(({ body }) => body["revokedBy"] === "operator");
    expect(revoked).toMatchObject([{ body: { event: "grant.revoked", operator: "bob", grantId } }]);
    expect(await operator.want({ op: "grants", wants: {} })).toEqual({ op: "grants", grants: [] });
  });

  it("is listed in parts when there are more than one answer holds", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const given = Array.from({ length: 400 }, (_, nth) => `grant-${String(nth).padStart(4, "0")}`);
    const now = stage.clock.now();
    process.journal.write((tx) => {
      for (const grantId of given) {
        tx.addGrant({ ...LONG, grantId, grantedAt: now, expiresAt: now + 60_000 });
      }
    });
    const operator = operatorDouble(stage);
    const found: string[] = [];
    let after: string | undefined = "0";
    while (after !== undefined) {
      const reply = await operator.want({ op: "grants", wants: { after } });
      const { grants, next } = reply as {
        grants: readonly { grantId: string }[];
        next?: string;
      };
      found.push(...grants.map(({ grantId }) => grantId));
      after = next;
    }
    expect(found).toEqual(given);
  });
});

describe("what is too much for one answer", () => {
  it("a list comes in parts, each ask once and in order", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const asked = Array.from({ length: 620 }, () => child.ask(command("git push")).ask.id);
    await stage.flush();
    const operator = operatorDouble(stage);
    const found: string[] = [];
    let after: number | undefined = 0;
    let parts = 0;
    while (after !== undefined) {
      const reply = await operator.want({ op: "list", wants: { after } });
      const { asks, next } = reply as { asks: readonly { requestId: string }[]; next?: number };
      found.push(...asks.map(({ requestId }) => requestId));
      after = next;
      parts += 1;
    }
    expect(found).toEqual(asked);
    expect(parts).toBeGreaterThan(1);
    const sizes = stage.broker.log
      .filter(({ subject }) => subject.includes(".inbox.alice.ctl."))
      .map(({ data }) => data.length);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
  });

  it("an ask comes in parts and is shown whole, whatever it is written in", async () => {
    await using stage = setStage();
    await stage.start();
    const base = command("git push");
    const text = '\u2603"\\🦀\u0001'.repeat(14_000);
    const evidence = [{ label: "input", text, detail: null }];
    const { ask } = stage.child().ask({ ...base, payload: { ...base.payload, evidence } as never });
    await stage.flush();
    const operator = operatorDouble(stage);
    const { shown } = await operator.shown(ask.id);
    expect(shown.payload.evidence[0]?.text === text).toBe(true);
    const sizes = stage.broker.log
      .filter(({ subject }) => subject.includes(".inbox.alice.ctl."))
      .map(({ data }) => data.length);
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(256 * 1024);
    expect(await operator.answer(ask.id, "deny")).toMatchObject({ op: "answer" });
  });
});

describe("a session without a person of its own", () => {
  it("leaves asks to operators, and says that one was shown it when nobody answers", async () => {
    await using stage = setStage();
    await stage.start({ terminal: operatorTerminal() });
    const child = stage.child();
    const unseen = child.ask({ ...command("make"), expiresAt: Date.now() + 2_000 }).ask;
    const seen = child.ask({ ...command("make"), expiresAt: Date.now() + 2_000 }).ask;
    await stage.flush();
    await operatorDouble(stage).shown(seen.id);
    await stage.pass(2_100);
    const details = [unseen, seen].map(({ id }) => child.about(id, "refused")[0]?.message.detail);
    expect(details).toEqual(["it was never presented to anybody", "nobody answered in time"]);
  });

  it("has each ask answered by the first of two operators, and the other told who it was", async () => {
    await using stage = setStage();
    const process = await stage.start({ terminal: operatorTerminal() });
    const child = stage.child();
    const { ask } = child.ask(command("make"));
    await stage.flush();
    const alice = operatorDouble(stage, "alice");
    const bob = operatorDouble(stage, "bob");
    const { digest } = (await alice.shown(ask.id)).part;
    const { id: requestId } = ask;
    const replies = Promise.all([
      alice.line.ask("parent-1", { op: "answer", wants: { requestId, digest, answer: "allow" } }),
      bob.line.ask("parent-1", { op: "answer", wants: { requestId, digest, answer: "deny" } }),
    ]);
    await stage.flush();
    expect(await replies).toMatchObject([
      { op: "answer" },
      {
        refused: { why: "ended", stands: { outcome: "allowed", decidedBy: { approver: "alice" } } },
      },
    ]);
    expect(child.about(ask.id, "decision").map(({ message }) => message.approved)).toEqual([true]);
    await stage.pass(20);
    expect(stage.story(process, ask.id).at(-1)).toBe("operator.refused");
  });

  it("lets no allow count that no disk holds", async () => {
    await using stage = setStage();
    const process = await stage.start({ terminal: operatorTerminal() });
    const child = stage.child();
    const { ask } = child.ask(command("make"));
    await stage.flush();
    const operator = operatorDouble(stage);
    const { digest } = (await operator.shown(ask.id)).part;
    process.failWrites(true);
    const wants = { requestId: ask.id, digest, answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants })).toMatchObject({
      refused: { why: "unrecorded" },
    });
    await stage.flush();
    expect(child.about(ask.id, "decision")).toEqual([]);
    expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("audit_unavailable");
  });
});

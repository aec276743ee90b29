import { expect, it } from "vitest";
import { command } from "../../support/child-double.ts";
import { aGrant } from "../../support/journal-parts.ts";
import { setStage } from "../../support/parent-stage.ts";
import { scriptedTerminal } from "../../support/scripted-terminal.ts";

const HOUR = 60 * 60 * 1000;

it("parent answers an approval for the child's session as such and keeps no grant itself", async () => {
  await using stage = setStage();
  const { terminal, journal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  terminal.allow(ask.id, "child_session");
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message.state).toBe("approved_for_session");
  expect(journal.read.grants(stage.clock.now(), "serving_session")).toEqual([]);
});

it("parent keeps an approval for the serving session, answers plainly, and answers the next ask by it", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const other = stage.child("child-2");
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  process.terminal.allow(ask.id, "serving_session");
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: true,
    state: "approved",
    decidedBy: { kind: "user" },
  });
  const [grant] = process.journal.read.grants(stage.clock.now(), "serving_session");
  expect(grant).toMatchObject({
    requestId: ask.id,
    surface: "bash",
    pattern: "git push",
    width: "proven",
    grantedBy: null,
    expiresAt: stage.clock.now() + 8 * HOUR,
    uses: 0,
  });
  const next = other.ask(command("git push", "child-2")).ask;
  await stage.pass(10);
  expect(other.about(next.id, "decision")[0]?.message.decidedBy).toEqual({
    kind: "session_approval",
    surface: "bash",
    pattern: "git push",
    grantId: grant?.grantId,
  });
  expect(process.terminal.put).toHaveLength(1);
  expect(process.journal.read.grants(stage.clock.now(), "serving_session")[0]?.uses).toBe(1);
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "forwarded_permission.prompted",
    "ui_prompt",
    "forwarded_permission.approved",
    "decision user_approved_for_session",
    "forwarded_permission.session_recorded",
    "grant.recorded",
  ]);
});

it("parent asks a person again after a grant has expired", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const first = child.ask(command("git push")).ask;
  await stage.flush();
  terminal.allow(first.id, "serving_session");
  await stage.flush();
  stage.jump(8 * HOUR);
  child.ask(command("git push"));
  await stage.flush();
  expect(terminal.put).toHaveLength(2);
});

it("parent answers what waits behind the dialog by the grant, and leaves what is on screen to the person", async () => {
  await using stage = setStage();
  const terminal = scriptedTerminal((_, nth) => nth !== 1);
  await stage.start({ terminal });
  const child = stage.child();
  const shown = child.ask(command("git push")).ask;
  await stage.flush();
  const waiting = child.ask(command("git push")).ask;
  await stage.flush();
  const alsoShown = child.ask(command("git push")).ask;
  await stage.flush();
  terminal.allow(shown.id, "serving_session");
  await stage.flush();
  expect(child.about(waiting.id, "decision")[0]?.message.decidedBy.kind).toBe("session_approval");
  expect(terminal.of(waiting.id).signal.aborted).toBe(true);
  expect(child.about(alsoShown.id, "decision")).toEqual([]);
  expect(terminal.of(alsoShown.id).signal.aborted).toBe(false);
});

it("parent answers by the grant what would have been shown next, before anybody sees it", async () => {
  await using stage = setStage();
  const terminal = scriptedTerminal((_, nth) => nth === 0);
  await stage.start({ terminal });
  const child = stage.child();
  const first = child.ask(command("git push")).ask;
  await stage.flush();
  const second = child.ask(command("git push")).ask;
  await stage.flush();
  const ruling = {
    approved: true,
    state: "approved",
    decidedBy: { kind: "user", via: "dialog" },
  } as const;
  terminal.of(first.id).answer({
    kind: "ruled",
    ruling,
    scope: "serving_session",
    settled: () => terminal.of(second.id).ask.presented(),
  });
  await stage.flush();
  expect(child.about(second.id, "decision")[0]?.message.decidedBy.kind).toBe("session_approval");
});

it("parent answers what waits by rules that came meanwhile and says so", async () => {
  await using stage = setStage();
  const terminal = scriptedTerminal(() => false);
  const process = await stage.start({ terminal });
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  process.parent.setRules({ global: new Map([["bash", "deny"]]) });
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    decidedBy: { kind: "rule", surface: "bash", pattern: "*", origin: "global" },
  });
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "forwarded_permission.auto_denied",
    "decision policy_deny",
  ]);
});

it("parent takes back what is on screen when rules come that deny it, and the answer no longer counts", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  process.parent.setRules({ global: new Map([["bash", "deny"]]) });
  await stage.flush();
  expect(process.terminal.of(ask.id).signal.reason).toBe("decided");
  process.terminal.allow(ask.id);
  await stage.pass(10);
  expect(child.about(ask.id, "decision").map(({ message }) => message)).toMatchObject([
    { approved: false, decidedBy: { kind: "rule", origin: "global" } },
  ]);
});

it("parent answers what a link holds by rules that came meanwhile", async () => {
  await using stage = setStage();
  const judge = { name: "judge", judge: async () => new Promise<never>(() => undefined) };
  const { parent } = await stage.start({ links: [judge], authorizerChain: ["judge"] });
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  expect(parent.openAsks()[0]?.state).toBe("authorizer");
  parent.setRules({ global: new Map([["bash", "allow"]]) });
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message.decidedBy.kind).toBe("rule");
});

it("parent notices within a second that a grant was given or revoked elsewhere in its session", async () => {
  await using stage = setStage();
  const terminal = scriptedTerminal(() => false);
  const { journal } = await stage.start({ terminal });
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  journal.write((tx) => {
    tx.addGrant({
      grantId: "grant-elsewhere",
      requestId: "perm-x",
      surface: "bash",
      pattern: "git push",
      width: "proven",
      scope: "serving_session",
      grantedBy: null,
      grantedAt: stage.clock.now(),
      expiresAt: stage.clock.now() + HOUR,
      uses: 0,
    });
  });
  await stage.pass(1000);
  expect(child.about(ask.id, "decision")[0]?.message.decidedBy).toMatchObject({
    grantId: "grant-elsewhere",
  });
  journal.write((tx) => tx.revokeGrant("grant-elsewhere"));
  await stage.pass(1000);
  const next = child.ask(command("git push")).ask;
  await stage.flush();
  expect(child.about(next.id, "decision")).toEqual([]);
});

it("parent lets nothing run by a grant from the moment it is revoked", async () => {
  await using stage = setStage();
  const { journal, terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  terminal.allow(ask.id, "serving_session");
  await stage.flush();
  for (const { grantId } of journal.read.grants(stage.clock.now(), "serving_session")) {
    journal.write((tx) => tx.revokeGrant(grantId));
  }
  const next = child.ask(command("git push")).ask;
  await stage.flush();
  expect(child.about(next.id, "decision")).toEqual([]);
  expect(terminal.put).toHaveLength(2);
});

it("parent answers nothing by a grant that its own session has for its own calls", async () => {
  await using stage = setStage();
  const { journal, terminal } = await stage.start();
  journal.write((tx) => {
    tx.addGrant(
      aGrant({
        grantedAt: stage.clock.now(),
        expiresAt: stage.clock.now() + HOUR,
        pattern: "git push",
      }),
    );
  });
  await stage.pass(1000);
  stage.child().ask(command("git push"));
  await stage.flush();
  expect(terminal.put).toHaveLength(1);
});

it("parent says once that a grant has expired, also one that expired while nobody served", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  first.terminal.allow(ask.id, "serving_session");
  await stage.flush();
  stage.jump(8 * HOUR);
  await stage.pass(3000);
  expect(stage.story(first, ask.id).filter((one) => one === "grant.expired")).toHaveLength(1);
  const { ask: other } = child.ask(command("git push"));
  await stage.flush();
  first.terminal.allow(other.id, "serving_session");
  await stage.flush();
  await first.kill();
  stage.jump(8 * HOUR);
  const second = await stage.start();
  await stage.pass(3000);
  expect(stage.story(second, other.id).filter((one) => one === "grant.expired")).toHaveLength(1);
});

it("parent keeps a serving-session grant over a crash and not over a clean end", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git push"));
  await stage.flush();
  first.terminal.allow(ask.id, "serving_session");
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  const next = child.ask(command("git push")).ask;
  await stage.pass(10);
  expect(child.about(next.id, "decision")[0]?.message.decidedBy.kind).toBe("session_approval");
  await second.parent.close({ answerOpen: true });
  await second.journal.close(true);
  const { terminal } = await stage.start();
  child.ask(command("git push"));
  await stage.flush();
  expect(terminal.put).toHaveLength(1);
});

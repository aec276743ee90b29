import { hash } from "node:crypto";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { openJournal } from "../../../src/journal/open-journal.ts";
import { command } from "../../support/child-double.ts";
import { STAGE_RULES, setStage } from "../../support/parent-stage.ts";

it("parent lists what a killed process left as dormant and prompts nobody before the child repeats", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const { ask } = stage.child().ask();
  await stage.flush();
  await first.kill();
  const { parent, terminal } = await stage.start();
  expect(parent.openAsks()).toEqual([
    {
      requestId: ask.id,
      childToken: "child-1",
      surface: "bash",
      value: "git push origin main",
      state: "dormant",
      expiresAt: ask.expiresAt,
    },
  ]);
  expect(terminal.put).toEqual([]);
});

it("parent takes a dormant ask up on its child's repeat, says it is a second prompt, and answers with proof", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  expect(second.terminal.of(ask.id).ask.reprompt).toBe(1);
  expect(child.about(ask.id, "accepted").at(-1)?.message.incarnation).toBe(
    second.parent.incarnation,
  );
  second.terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toHaveLength(1);
  const prompts = stage.records(second).filter(({ kind }) => kind === "ui_prompt");
  expect(prompts.map(({ body }) => body["reprompt"])).toEqual([undefined, 1]);
});

it("parent counts a prompt only when somebody really saw it", async () => {
  await using stage = setStage();
  const first = await stage.start({
    terminal: { decide: async () => new Promise(() => undefined), waiting: () => 1 },
  });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const { terminal } = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  expect(terminal.of(ask.id).ask.reprompt).toBe(0);
});

it("parent repeats a verdict that was committed and never received, byte for byte, once its child repeats", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  first.port.disconnect();
  first.terminal.allow(ask.id);
  await stage.flush();
  const committed = first.journal.read.servedAsk(ask.id)?.end?.answer;
  await first.kill();
  const second = await stage.start();
  await stage.pass(5000);
  expect(child.about(ask.id, "decision")).toEqual([]);
  child.repeat(ask.id);
  await stage.pass(1000);
  expect(child.about(ask.id, "decision")).toHaveLength(2);
  expect(second.terminal.put).toEqual([]);
  expect(stage.sent(ask.id).at(-1)).toEqual({ text: committed, proven: true });
});

it("parent names the process that decided and died unheard, so that its child takes the repeated verdict", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  const decider = second.parent.incarnation;
  second.port.disconnect();
  second.terminal.allow(ask.id);
  await stage.flush();
  await second.kill();
  await stage.start();
  child.heard.length = 0;
  child.repeat(ask.id);
  await stage.flush();
  expect(child.heard.filter(({ kind }) => kind !== "presence")).toMatchObject([
    { kind: "accepted", message: { incarnation: decider } },
    { kind: "decision", message: { incarnation: decider, approved: true } },
  ]);
});

it("parent whose new rules decide a dormant ask accepts it first, then answers by the rule", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const { terminal } = await stage.start({ rules: { global: new Map([["bash", "allow"]]) } });
  child.heard.length = 0;
  child.repeat(ask.id);
  await stage.flush();
  expect(child.heard.map(({ kind }) => kind)).toEqual(["accepted", "decision"]);
  expect(child.about(ask.id, "decision")[0]?.message.decidedBy.kind).toBe("rule");
  expect(terminal.put).toEqual([]);
});

it("parent keeps the first life of an ask over a restart", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(400_000);
  await first.kill();
  const { terminal } = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  expect(terminal.of(ask.id).ask.expiresAt).toBe(ask.expiresAt);
  await stage.pass(200_000);
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
});

it("parent ends a dormant ask whose child stays silent, and its prompt gets its decision", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  await stage.pass(601_000);
  expect(second.parent.openAsks()).toEqual([]);
  expect(stage.story(second, ask.id).slice(-2)).toEqual([
    "forwarded_permission.response_timed_out",
    "decision confirmation_unavailable",
  ]);
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
});

it("parent refuses a dormant ask whose time was over while nobody served it", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const { terminal } = await stage.start();
  child.repeat(ask.id, 0);
  await stage.flush();
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
  expect(terminal.put).toEqual([]);
});

it("parent notes a receipt for a decision of a process that is gone", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask(command("git status"));
  await stage.pass(10);
  await first.kill();
  const second = await stage.start({ rules: { global: STAGE_RULES } });
  child.receipt(ask.id);
  await stage.pass(10);
  expect(second.journal.read.servedAsk(ask.id)?.receipt).toBe("applied");
});

it("parent that starts sends a decision without a receipt again until its child says what became of it", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  first.terminal.allow(ask.id);
  await stage.flush();
  await first.kill();
  const before = stage.sent(ask.id);
  const second = await stage.start();
  await stage.pass(1000);
  expect(stage.sent(ask.id).slice(before.length)).toEqual([
    { text: before.at(-1)?.text, proven: false },
  ]);
  child.receipt(ask.id, "late");
  await stage.pass(60_000);
  expect(stage.sent(ask.id)).toHaveLength(before.length + 1);
  expect(second.journal.read.servedAsk(ask.id)?.receipt).toBe("late");
  expect(stage.story(second, ask.id).at(-1)).toBe("forwarded_permission.late_decision");
  expect(second.terminal.put).toEqual([]);
});

it("parent proves a decision of an earlier process once its child repeats, even after it was sent without", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  first.port.disconnect();
  first.terminal.allow(ask.id);
  await stage.flush();
  await first.kill();
  await stage.start();
  await stage.pass(1000);
  expect(stage.sent(ask.id).at(-1)).toMatchObject({ proven: false });
  expect(child.about(ask.id, "decision")).toEqual([]);
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toHaveLength(1);
  await stage.pass(1000);
  expect(stage.sent(ask.id).at(-1)).toMatchObject({ proven: true });
});

it("parent closes the prompt of an ask that another process of its session decided", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const second = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  const answer = "as the other process said";
  second.journal.write((tx) => {
    tx.endServedAsk(ask.id, { kind: "decision", answer, endedAt: stage.clock.now() });
  });
  const decisionDigest = hash("sha256", answer, "base64url");
  child.line.publishReceipt("parent-1", { requestId: ask.id, decisionDigest, effect: "applied" });
  await stage.pass(10);
  expect(second.terminal.of(ask.id).signal.aborted).toBe(true);
  expect(second.parent.openAsks()).toEqual([]);
  expect(second.journal.read.servedAsk(ask.id)?.receipt).toBe("applied");
});

it("parent takes no receipt of a decision for that of the one that stands", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const folder = dirname(dirname(first.journal.file));
  await using other = await openJournal({ folder, session: "parent-1", clock: stage.clock });
  const { ask, askDigest } = child.ask(command("git status"));
  await stage.flush();
  other.write((tx) => {
    tx.insertServedAsk({
      requestId: ask.id,
      childToken: "child-1",
      askDigest,
      ask: "",
      receivedAt: stage.clock.now(),
      deadlineAt: ask.expiresAt,
    });
    const endedAt = stage.clock.now();
    tx.endServedAsk(ask.id, { kind: "decision", answer: "of another process", endedAt });
  });
  child.receipt(ask.id);
  await stage.pass(10);
  expect(first.journal.read.servedAsk(ask.id)?.receipt).toBeNull();
});

import { expect, it } from "vitest";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

it("parent accepts an ask once its row is durable, then answers what the person rules", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask, askDigest } = child.ask();
  await stage.flush();
  expect(child.about(ask.id, "accepted")[0]?.message).toEqual({
    requestId: ask.id,
    askDigest,
    incarnation: process.parent.incarnation,
    state: "human",
  });
  expect(process.journal.read.servedAsk(ask.id)).toMatchObject({
    childToken: "child-1",
    accepted: true,
    presented: 1,
    end: null,
  });
  process.terminal.deny(ask.id, "use the staging branch");
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    state: "denied_with_reason",
    denialReason: "use the staging branch",
    decidedBy: { kind: "user", via: "dialog" },
  });
  expect(process.terminal.of(ask.id).effects).toEqual(["counted"]);
});

it("parent keeps no nonce on disk", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const { ask } = stage.child().ask();
  await stage.flush();
  process.terminal.allow(ask.id);
  await stage.flush();
  expect(process.journal.read.servedAsk(ask.id)?.ask).toContain(ask.id);
  expect(JSON.stringify(process.journal.read.servedAsk(ask.id))).not.toContain(ask.nonce);
  expect(JSON.stringify(stage.records(process))).not.toContain(ask.nonce);
});

it("parent repeats a decision at 1, 2, 4, 8, 16 and every 30 seconds, the same bytes, until its receipt", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  terminal.allow(ask.id);
  await stage.flush();
  const heardAfter: number[] = [];
  for (const second of [1, 2, 4, 8, 16, 30, 30]) {
    await stage.pass(second * 1000 - 1);
    const before = child.about(ask.id, "decision").length;
    await stage.pass(1);
    heardAfter.push(child.about(ask.id, "decision").length - before);
  }
  expect(heardAfter).toEqual([1, 1, 1, 1, 1, 1, 1]);
  const digests = child.about(ask.id, "decision").map(({ decisionDigest }) => decisionDigest);
  expect(new Set(digests).size).toBe(1);
  child.receipt(ask.id);
  await stage.pass(300_000);
  expect(child.about(ask.id, "decision")).toHaveLength(digests.length);
});

it("parent sends an unreceipted decision again when its connection is back", async () => {
  await using stage = setStage();
  const { terminal, port } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  port.disconnect();
  terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toEqual([]);
  port.reconnect();
  await stage.flush();
  expect(child.about(ask.id, "decision")).toHaveLength(1);
});

it("parent answers a repeat of an undecided ask with accepted and prompts nobody twice", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "accepted")).toHaveLength(2);
  expect(terminal.put).toHaveLength(1);
});

it("parent makes up for a lost accepted when the child repeats after the decision", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  terminal.allow(ask.id);
  await stage.flush();
  child.heard.length = 0;
  child.repeat(ask.id);
  await stage.flush();
  expect(child.heard.map(({ kind }) => kind)).toEqual(["accepted", "decision"]);
});

it("parent records a decision whose child applied something else as late, once", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.terminal.allow(ask.id);
  await stage.flush();
  child.receipt(ask.id, "late");
  child.receipt(ask.id, "late");
  await stage.pass(20);
  const late = stage
    .records(process)
    .filter(({ body }) => body["event"] === "forwarded_permission.late_decision");
  expect(late.map(({ requestId, body }) => [requestId, body["why"]])).toEqual([[ask.id, "late"]]);
  expect(process.journal.read.servedAsk(ask.id)?.receipt).toBe("late");
});

it.each(["applied", "duplicate"] as const)(
  "parent notes the receipt %s without a record",
  async (effect) => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask(command("git status"));
    await stage.flush();
    const before = stage.records(process).length;
    child.receipt(ask.id, effect);
    await stage.pass(20);
    expect(process.journal.read.servedAsk(ask.id)?.receipt).toBe(effect);
    expect(stage.records(process).length - before).toBeLessThanOrEqual(1);
  },
);

it("parent ignores a receipt of another child and goes on repeating", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const other = stage.child("child-2");
  const { ask } = child.ask();
  await stage.flush();
  process.terminal.allow(ask.id);
  await stage.flush();
  const [decisionDigest = ""] = child.about(ask.id, "decision").map((one) => one.decisionDigest);
  other.line.publishReceipt("parent-1", { requestId: ask.id, decisionDigest, effect: "applied" });
  await stage.pass(1000);
  expect(child.about(ask.id, "decision")).toHaveLength(2);
  expect(process.journal.read.servedAsk(ask.id)?.receipt).toBeNull();
});

it("parent keeps two asks with one tool call apart: a ruling on one leaves the other open", async () => {
  await using stage = setStage();
  const { terminal, parent } = await stage.start();
  const child = stage.child();
  const first = child.ask().ask;
  const second = child.ask().ask;
  await stage.flush();
  terminal.allow(first.id);
  await stage.flush();
  expect(child.about(first.id, "decision")).toHaveLength(1);
  expect(child.about(second.id, "decision")).toEqual([]);
  expect(parent.openAsks().map(({ requestId, state }) => [requestId, state])).toEqual([
    [second.id, "human"],
  ]);
});

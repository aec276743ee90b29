import { expect, it } from "vitest";
import type { Terminal } from "../../../src/ask/ports.ts";
import { denyTerminal } from "../../../src/parent/deny-terminal.ts";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

const terminalThat = (decide: Terminal["decide"]): Terminal => ({ decide, waiting: () => 0 });

it.each([
  [
    "throws",
    () => {
      throw new Error("cannot draw: /home/op/secret");
    },
  ],
  ["rejects", async () => Promise.reject(new Error("cannot draw: /home/op/secret"))],
  ["rejects with nothing", async () => Promise.reject(undefined as unknown as Error)],
  ["answers nothing that can be read", async () => Promise.resolve(undefined as never)],
] as const)(
  "parent whose terminal %s answers a gate error at once and keeps its words to itself",
  async (_, decide) => {
    await using stage = setStage();
    const process = await stage.start({ terminal: terminalThat(decide) });
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
      approved: false,
      state: "denied",
      decidedBy: { kind: "gate_error", reason: "the terminal of the parent failed" },
    });
    expect(
      stage
        .sent(ask.id)
        .map(({ text }) => text)
        .join(),
    ).not.toContain("secret");
    expect(stage.story(process, ask.id)).toEqual([
      "forwarded_permission.accepted",
      "forwarded_permission.denied",
      "decision gate_error",
    ]);
  },
);

it("parent whose terminal fails after it showed the ask still tells its decision", async () => {
  await using stage = setStage();
  const terminal = terminalThat(async (ask) => {
    ask.presented();
    throw new Error("the screen went away");
  });
  const process = await stage.start({ terminal });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "forwarded_permission.prompted",
    "ui_prompt",
    "forwarded_permission.denied",
    "decision gate_error",
  ]);
});

it.each([
  [
    "an approval by nobody",
    { approved: true, state: "approved", decidedBy: { kind: "unavailable", reason: "x" } },
  ],
  [
    "an approval whose state is a denial",
    { approved: true, state: "denied", decidedBy: { kind: "user", via: "dialog" } },
  ],
  [
    "a denial whose state is an approval",
    { approved: false, state: "approved", decidedBy: { kind: "user", via: "dialog" } },
  ],
] as const)("parent takes %s from its terminal for a gate error", async (_, ruling) => {
  await using stage = setStage();
  const answer = { kind: "ruled", ruling, scope: "once" } as const;
  await stage.start({ terminal: terminalThat(async () => Promise.resolve(answer)) });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    decidedBy: { kind: "gate_error" },
  });
});

it("parent without anybody says that nobody is there, and that nobody denied", async () => {
  await using stage = setStage();
  const process = await stage.start({ terminal: denyTerminal() });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    approved: false,
    state: "denied",
    decidedBy: {
      kind: "unavailable",
      reason: "nobody is there to answer at the session that was asked",
      at: "parent-1",
    },
  });
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "forwarded_permission.denied",
    "decision confirmation_unavailable",
  ]);
});

it("parent credits the link that decided and asks nobody else", async () => {
  await using stage = setStage();
  const judge = {
    name: "judge",
    judge: async () => Promise.resolve({ kind: "deny", reason: "outside policy" } as const),
  };
  const process = await stage.start({ links: [judge], authorizerChain: ["judge"] });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(10);
  expect(child.about(ask.id, "accepted")[0]?.message.state).toBe("authorizer");
  expect(child.about(ask.id, "progress")[0]?.message.heldBy).toEqual({
    kind: "authorizer",
    name: "judge",
  });
  expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
    denialReason: "outside policy",
    decidedBy: { kind: "authorizer", name: "judge", verdict: "deny", reason: "outside policy" },
  });
  expect(process.terminal.put).toEqual([]);
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "authorizer_chain_resolved",
    "forwarded_permission.denied",
    "decision authorizer_denied",
  ]);
});

it("parent opens the person's surface when a link exceeds its deadline, and counts the failure", async () => {
  await using stage = setStage();
  const judge = { name: "judge", judge: async () => new Promise<never>(() => undefined) };
  const chain = { links: [judge], authorizerChain: ["judge", "ghost"], linkTimeoutMs: 60 };
  const process = await stage.start(chain);
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(59);
  expect(process.terminal.put).toEqual([]);
  await stage.pass(20);
  expect(process.terminal.put).toHaveLength(1);
  expect(child.about(ask.id, "progress").at(-1)?.message).toMatchObject({
    state: "human",
    heldBy: { kind: "human" },
    ahead: 0,
  });
  expect(process.parent.counters()).toMatchObject({ link_failed: 1 });
  expect(stage.story(process, ask.id)).toContain("authorizer_chain_unregistered_link");
  expect(stage.story(process, ask.id)).toContain("authorizer_link_failed");
});

it("parent refuses to open with two links of one name", async () => {
  await using stage = setStage();
  const judge = { name: "judge", judge: async () => Promise.resolve({ kind: "defer" } as const) };
  await expect(stage.start({ links: [judge, judge] })).rejects.toThrow('"judge"');
});

it("parent refuses an ask it cannot keep as audit_unavailable, and the repeat gets the same bytes", async () => {
  await using stage = setStage();
  const process = await stage.start();
  process.failWrites(true);
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "refused").map(({ message }) => message.lost)).toEqual([
    "audit_unavailable",
    "audit_unavailable",
  ]);
  expect(new Set(stage.sent(ask.id).map(({ text }) => text)).size).toBe(1);
  expect(process.terminal.put).toEqual([]);
});

it("parent never sends an allow of a person that it cannot write, and catches up on the record", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.failWrites(true);
  process.terminal.allow(ask.id, "serving_session");
  await stage.flush();
  expect(child.about(ask.id, "decision")).toEqual([]);
  expect(child.about(ask.id, "refused")[0]?.message).toMatchObject({
    lost: "audit_unavailable",
    detail: "the parent's journal cannot be written",
  });
  expect(process.terminal.of(ask.id).effects).toEqual(["unrecorded"]);
  process.failWrites(false);
  await stage.pass(1000);
  expect(process.journal.read.servedAsk(ask.id)?.end?.kind).toBe("refused");
  expect(process.journal.read.grants(stage.clock.now(), "serving_session")).toEqual([]);
  expect(stage.story(process, ask.id).slice(-2)).toEqual([
    "permission_forwarding.error",
    "decision confirmation_unavailable",
  ]);
});

it("parent sends a person's denial that it cannot write, and writes it when it can", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.failWrites(true);
  process.terminal.deny(ask.id, "not today");
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message.denialReason).toBe("not today");
  expect(process.parent.counters()).toMatchObject({ journal_owed: 1, journal_lost: 0 });
  process.failWrites(false);
  await stage.pass(1000);
  expect(stage.story(process, ask.id).slice(-2)).toEqual([
    "forwarded_permission.denied",
    "decision user_denied",
  ]);
});

it("parent that cannot write gives back what a rule allows, still denies what a rule denies, and recovers", async () => {
  await using stage = setStage();
  const process = await stage.start();
  process.failWrites(true);
  const child = stage.child();
  child.ask();
  await stage.flush();
  const allowed = child.ask(command("git status")).ask;
  const denied = child.ask(command("rm x")).ask;
  await stage.flush();
  expect(child.about(allowed.id, "refused")[0]?.message.lost).toBe("audit_unavailable");
  expect(child.about(denied.id, "decision")[0]?.message.approved).toBe(false);
  process.failWrites(false);
  const next = child.ask(command("git status")).ask;
  await stage.pass(1000);
  expect(child.about(next.id, "decision")[0]?.message.approved).toBe(true);
  expect(stage.story(process, allowed.id)).toEqual(["permission_forwarding.error"]);
  expect(stage.story(process, denied.id)).toEqual(["forwarded_permission.auto_denied"]);
});

it("parent withdraws a prompt although the withdrawal cannot be written, and writes it later", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.failWrites(true);
  child.cancel(ask.id);
  await stage.flush();
  expect(process.terminal.of(ask.id).signal.aborted).toBe(true);
  expect(child.about(ask.id, "withdrawn")[0]?.message.effect).toBe("withdrawn");
  process.failWrites(false);
  await stage.pass(1000);
  expect(process.journal.read.servedAsk(ask.id)?.end?.kind).toBe("withdrawn");
});

it("parent leaves a cancel of an unknown ask unanswered until its tombstone is durable", async () => {
  await using stage = setStage();
  const process = await stage.start();
  process.failWrites(true);
  const child = stage.child();
  child.cancel("perm-early");
  await stage.pass(10);
  expect(child.about("perm-early", "withdrawn")).toEqual([]);
  process.failWrites(false);
  child.cancel("perm-early");
  await stage.pass(10);
  expect(child.about("perm-early", "withdrawn")[0]?.message.effect).toBe("unknown");
});

it("parent goes on when the log and the terminal's own callback throw", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  process.terminal.of(ask.id).answer({
    kind: "ruled",
    ruling: { approved: false, state: "denied", decidedBy: { kind: "user", via: "dialog" } },
    scope: "once",
    settled: () => {
      throw new Error("echo failed");
    },
  });
  await stage.flush();
  expect(child.about(ask.id, "decision")).toHaveLength(1);
  const next = child.ask(command("git status")).ask;
  await stage.flush();
  expect(child.about(next.id, "decision")).toHaveLength(1);
});

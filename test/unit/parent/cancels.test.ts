import { expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

it("parent takes the prompt back when the child cancels, and says withdrawn", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.cancel(ask.id);
  await stage.flush();
  expect(process.terminal.of(ask.id).signal.aborted).toBe(true);
  expect(child.about(ask.id, "withdrawn")[0]?.message.effect).toBe("withdrawn");
  expect(process.parent.openAsks()).toEqual([]);
  expect(stage.story(process, ask.id)).toEqual([
    "forwarded_permission.accepted",
    "forwarded_permission.prompted",
    "ui_prompt",
    "forwarded_permission.cancelled",
    "decision confirmation_unavailable",
  ]);
});

it.each([
  ["timed_out", "timed_out"],
  ["aborted", "cancelled"],
  ["failover", "cancelled"],
] as const)(
  "parent tells its terminal the reason of an ask that its child took back: %s as %s",
  async (why, told) => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    child.cancel(ask.id, why);
    await stage.flush();
    expect(process.terminal.of(ask.id).signal.reason).toBe(told);
  },
);

it("parent ignores a person who answers after the child cancelled, tells them, and records it as late", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.cancel(ask.id);
  await stage.flush();
  process.terminal.allow(ask.id);
  await stage.pass(10);
  expect(child.about(ask.id, "decision")).toEqual([]);
  expect(process.terminal.of(ask.id).effects).toEqual(["ended"]);
  expect(stage.records(process).at(-1)?.body).toMatchObject({
    event: "forwarded_permission.late_decision",
    requestId: ask.id,
  });
});

it("parent says already_decided to a cancel that comes after the verdict", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  terminal.allow(ask.id);
  await stage.flush();
  child.cancel(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "withdrawn")[0]?.message.effect).toBe("already_decided");
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision").at(-1)?.message.approved).toBe(true);
});

it("parent answers a repeated cancel again and a late ask repeat with the same withdrawal", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.cancel(ask.id);
  child.cancel(ask.id);
  child.repeat(ask.id);
  await stage.flush();
  const effects = child.about(ask.id, "withdrawn").map(({ message }) => message.effect);
  expect(effects).toEqual(["withdrawn", "withdrawn", "withdrawn"]);
  expect(terminal.put).toHaveLength(1);
});

it("parent does not serve an ask whose cancel came before it, also after a restart", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const id = "perm-early";
  child.cancel(id);
  await stage.pass(10);
  expect(child.about(id, "withdrawn")[0]?.message.effect).toBe("unknown");
  await first.kill();
  const { terminal } = await stage.start();
  child.ask({ id });
  await stage.flush();
  expect(child.about(id, "refused")[0]?.message.lost).toBe("cancelled");
  expect(terminal.put).toEqual([]);
});

it("parent keeps an ask out whose cancel came a moment before it and is not on disk yet", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const id = "perm-early";
  child.cancel(id);
  child.ask({ id });
  await stage.flush();
  expect(child.about(id, "refused")[0]?.message.lost).toBe("cancelled");
  await stage.pass(10);
  expect(terminal.put).toEqual([]);
});

it("parent lets no child cancel the ask of another", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const other = stage.child("child-2");
  const { ask } = child.ask();
  await stage.flush();
  other.cancel(ask.id);
  await stage.pass(10);
  expect(other.about(ask.id, "withdrawn")[0]?.message.effect).toBe("unknown");
  terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toHaveLength(1);
});

it("parent withdraws a dormant ask that its child cancels", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  await first.kill();
  const { parent, terminal } = await stage.start();
  child.cancel(ask.id, "child_restarted");
  await stage.flush();
  expect(child.about(ask.id, "withdrawn")[0]?.message.effect).toBe("withdrawn");
  expect(parent.openAsks()).toEqual([]);
  child.repeat(ask.id);
  await stage.flush();
  expect(terminal.put).toEqual([]);
});

it("parent aborts the link that holds a cancelled ask and ignores what it says later", async () => {
  await using stage = setStage();
  const held = Promise.withResolvers<{ kind: "allow" }>();
  const signals: AbortSignal[] = [];
  const judge = {
    name: "judge",
    judge: async (_details: unknown, _query: unknown, _log: unknown, signal: AbortSignal) => {
      signals.push(signal);
      return held.promise;
    },
  };
  const { terminal } = await stage.start({ links: [judge], authorizerChain: ["judge"] });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  child.cancel(ask.id);
  await stage.flush();
  held.resolve({ kind: "allow" });
  await stage.flush();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  expect(child.about(ask.id, "decision")).toEqual([]);
  expect(terminal.put).toEqual([]);
});

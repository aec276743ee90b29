import { expect, it } from "vitest";
import type { Presence } from "../../../src/ask/messages.ts";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

function heartbeats(stage: ReturnType<typeof setStage>): Presence[] {
  return stage.broker.log
    .filter(({ subject }) => subject === "af.v1.test.hb.parent-1")
    .map(({ data }) => JSON.parse(Buffer.from(data).toString("utf8")) as Presence);
}

it("parent says at once and every second that it serves, and how many asks are open", async () => {
  await using stage = setStage();
  const { parent, journal } = await stage.start();
  expect(heartbeats(stage)).toHaveLength(1);
  stage.child().ask();
  await stage.pass(3000);
  const last = heartbeats(stage).at(-1);
  expect(heartbeats(stage)).toHaveLength(4);
  expect(last).toMatchObject({
    session: "parent-1",
    incarnation: parent.incarnation,
    state: "up",
    serving: true,
    openAsks: 1,
    record: journal.read.head(),
  });
});

it("parent that hears a newer process of its session stops, closes its dialogs and leaves its rows", async () => {
  await using stage = setStage();
  const older = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  const newer = await stage.start();
  await stage.flush();
  const expected = `another process of session parent-1 serves now (incarnation ${newer.parent.incarnation})`;
  expect(await older.parent.stopped).toBe(expected);
  expect(older.terminal.of(ask.id).signal.aborted).toBe(true);
  expect(older.terminal.of(ask.id).signal.reason).toBe("stopped");
  expect(newer.parent.openAsks().map(({ state }) => state)).toEqual(["dormant"]);
  older.terminal.allow(ask.id);
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toEqual([]);
  expect(newer.terminal.of(ask.id).ask.reprompt).toBe(1);
  newer.terminal.deny(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision").map(({ message }) => message.approved)).toEqual([false]);
});

it("parent goes on when an older process of its session is heard", async () => {
  await using stage = setStage();
  const { parent, port } = await stage.start();
  const heard: Presence = {
    session: "parent-1",
    incarnation: "0.older",
    state: "up",
    serving: true,
    openAsks: 0,
    record: { n: 0, hash: "" },
  };
  port.publish("af.v1.test.hb.parent-1", Buffer.from(JSON.stringify({ v: 1, ...heard })));
  const child = stage.child();
  await stage.flush();
  const { ask } = child.ask();
  await stage.flush();
  expect(child.about(ask.id, "accepted")).toHaveLength(1);
  expect(parent.openAsks()).toHaveLength(1);
});

it("parent whose verdict meets one that another process committed sends that one and records its own as late", async () => {
  await using stage = setStage();
  const older = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  older.journal.write((tx) =>
    tx.endServedAsk(ask.id, {
      kind: "refused",
      answer: JSON.stringify({ v: 1, requestId: ask.id, lost: "timed_out", at: "parent-1" }),
      endedAt: stage.clock.now(),
    }),
  );
  older.terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")).toEqual([]);
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
  expect(older.terminal.of(ask.id).effects).toEqual(["ended"]);
  expect(stage.story(older, ask.id).at(-1)).toBe("forwarded_permission.late_decision");
});

it.each([
  { says: "the same", approved: true, late: 0 },
  { says: "the contrary", approved: false, late: 1 },
])(
  "parent whose rule meets an end of another process that says $says records $late as late",
  async ({ approved, late }) => {
    await using stage = setStage();
    const first = await stage.start();
    const child = stage.child();
    first.failWrites(true);
    const { ask, askDigest } = child.ask(command("git status"));
    await stage.flush();
    expect(child.about(ask.id, "decision")).toHaveLength(1);
    const row = { requestId: ask.id, childToken: "child-1", askDigest, ask: "" };
    const now = stage.clock.now();
    const answer = JSON.stringify({ v: 1, requestId: ask.id, incarnation: "0.other", approved });
    first.journal.write((tx) => {
      const other = { ...row, receivedAt: now, deadlineAt: now + 60_000 };
      expect(tx.insertEndedAsk(other, { kind: "decision", answer, endedAt: now })).toBe(true);
    });
    first.failWrites(false);
    await stage.pass(1000);
    const told = stage.story(first, ask.id);
    expect(told).toEqual(Array(late).fill("forwarded_permission.late_decision"));
  },
);

it("parent tells the loser of two answers in one instant which verdict stands, and sends that one", async () => {
  await using stage = setStage();
  const older = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  const newer = await stage.start();
  child.repeat(ask.id);
  await stage.flush();
  newer.terminal.deny(ask.id, "not on a Friday");
  older.terminal.allow(ask.id);
  await stage.flush();
  expect(newer.terminal.of(ask.id).effects).toEqual(["counted"]);
  expect(older.terminal.of(ask.id).effects).toEqual(["ended"]);
  expect(older.terminal.of(ask.id).stands).toEqual([
    { outcome: "denied", decidedBy: { kind: "user", via: "dialog" } },
  ]);
  const decisions = child.about(ask.id, "decision").map(({ message }) => message.state);
  expect(new Set(decisions)).toEqual(new Set(["denied_with_reason"]));
});

it("parent closes the dialog of an ask that another process has ended when its child repeats", async () => {
  await using stage = setStage();
  const { journal, terminal } = await stage.start();
  const child = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  journal.write((tx) =>
    tx.endServedAsk(ask.id, {
      kind: "refused",
      answer: JSON.stringify({ v: 1, requestId: ask.id, lost: "timed_out", at: "parent-1" }),
      endedAt: stage.clock.now(),
    }),
  );
  child.repeat(ask.id);
  await stage.flush();
  expect(terminal.of(ask.id).signal.aborted).toBe(true);
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
});

it.each([["answers", { publish: ["af.v1.test.hb.>"] }, /answer on af\.v1\.test\.dec\.parent-1/]])(
  "parent stops when the server does not take its %s",
  async (_, permissions, reason) => {
    await using stage = setStage();
    const { parent, port } = await stage.start();
    port.permit(permissions);
    stage.child().ask();
    await stage.flush();
    expect(await parent.stopped).toMatch(reason);
  },
);

it("parent stops when its connection is closed for good", async () => {
  await using stage = setStage();
  const { parent, port } = await stage.start();
  await port.close();
  await stage.flush();
  expect(await parent.stopped).toBe("the connection is closed");
});

import { expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

const MINUTE = 60_000;

it("parent withdraws the prompt and refuses as timed_out when the life is over", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  const { ask } = child.ask({}, MINUTE);
  await stage.pass(MINUTE / 2);
  child.repeat(ask.id, MINUTE / 2);
  await stage.pass(MINUTE / 2 - 1);
  expect(child.about(ask.id, "refused")).toEqual([]);
  await stage.pass(1);
  expect(process.terminal.of(ask.id).signal.reason).toBe("timed_out");
  expect(child.about(ask.id, "refused")[0]?.message).toMatchObject({
    lost: "timed_out",
    at: "parent-1",
    detail: "nobody answered in time",
  });
  expect(stage.story(process, ask.id).slice(-2)).toEqual([
    "forwarded_permission.response_timed_out",
    "decision confirmation_unavailable",
  ]);
});

it.each([-3, 3])(
  "parent gives the same life to a child whose clock is %d minutes off",
  async (minutes) => {
    await using stage = setStage();
    const { terminal } = await stage.start();
    const child = stage.child();
    const createdAt = Date.now() + minutes * MINUTE;
    const { ask } = child.ask({ createdAt, expiresAt: createdAt + 10 * MINUTE });
    await stage.flush();
    expect(terminal.of(ask.id).ask.expiresAt).toBe(Date.now() + 10 * MINUTE);
  },
);

it("parent shortens the life to what the child says is left, also on a repeat", async () => {
  await using stage = setStage();
  await stage.start();
  const child = stage.child();
  const { ask } = child.ask({}, 5 * MINUTE);
  await stage.flush();
  child.repeat(ask.id, MINUTE);
  await stage.pass(MINUTE);
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
});

it("parent says of an ask that nobody ever saw that it was never presented", async () => {
  await using stage = setStage();
  await stage.start({
    terminal: { decide: async () => new Promise(() => undefined), waiting: () => 1 },
  });
  const child = stage.child();
  const { ask } = child.ask();
  await stage.pass(10 * MINUTE);
  expect(child.about(ask.id, "refused")[0]?.message.detail).toBe(
    "it was never presented to anybody",
  );
});

it("parent refuses an ask that comes when its row may have come and gone", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const createdAt = Date.now() - 24 * 60 * MINUTE;
  const { ask } = child.ask({ createdAt, expiresAt: createdAt + 10 * MINUTE });
  await stage.flush();
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("timed_out");
  expect(terminal.put).toEqual([]);
});

it("parent repeats a refusal by itself only for a while", async () => {
  await using stage = setStage();
  await stage.start();
  const child = stage.child();
  const { ask } = child.ask({}, MINUTE);
  await stage.pass(MINUTE);
  await stage.pass(10 * MINUTE);
  const repeats = child.about(ask.id, "refused").length;
  expect(repeats).toBe(6);
  child.repeat(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "refused")).toHaveLength(7);
});

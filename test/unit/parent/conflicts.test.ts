import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { command } from "../../support/child-double.ts";
import { setStage } from "../../support/parent-stage.ts";

it("parent refuses another ask under a known id with that ask's own proof and leaves the first alone", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const twin = stage.child();
  const { ask } = child.ask();
  await stage.flush();
  const nonce = randomBytes(32).toString("base64url");
  twin.ask({ ...command("git push --force"), id: ask.id, nonce });
  await stage.flush();
  expect(twin.about(ask.id, "refused")[0]?.message).toMatchObject({
    lost: "rid_conflict",
    at: "parent-1",
  });
  expect(child.about(ask.id, "refused")).toEqual([]);
  terminal.allow(ask.id);
  await stage.flush();
  expect(child.about(ask.id, "decision")[0]?.message.approved).toBe(true);
  expect(terminal.put).toHaveLength(1);
});

it("parent refuses an id that waits for another child", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const first = stage.child("child-1").ask().ask;
  await stage.flush();
  const other = stage.child("child-2");
  other.ask({ ...command("git push origin", "child-2"), id: first.id });
  await stage.flush();
  expect(other.about(first.id, "refused")[0]?.message.lost).toBe("rid_conflict");
  expect(terminal.put).toHaveLength(1);
});

it("parent refuses an id that a killed process left in the journal for another ask", async () => {
  await using stage = setStage();
  const first = await stage.start();
  const { ask } = stage.child().ask();
  await stage.flush();
  await first.kill();
  const { terminal } = await stage.start();
  const twin = stage.child();
  twin.ask({ ...command("git push --force"), id: ask.id });
  await stage.flush();
  expect(twin.about(ask.id, "refused")[0]?.message.lost).toBe("rid_conflict");
  expect(terminal.put).toEqual([]);
});

it("parent refuses an id that a rule has answered for another ask", async () => {
  await using stage = setStage();
  const { parent } = await stage.start();
  const { ask } = stage.child().ask(command("git status"));
  await stage.flush();
  const other = stage.child("child-2");
  other.ask({ ...command("git status", "child-2"), id: ask.id });
  await stage.flush();
  expect(other.about(ask.id, "refused")[0]?.message.lost).toBe("rid_conflict");
  expect(parent.counters()).toMatchObject({ rid_conflict: 1 });
});

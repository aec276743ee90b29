import { expect, it } from "vitest";
import { setStage } from "../../support/parent-stage.ts";

const SUBJECT = "af.v1.test.ask.parent-1.child-1";

it("parent refuses an ask that passed it before as a loop", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const origin = { sessionId: "leaf", agentName: "reviewer" };
  const { ask } = child.ask({ origin, path: ["leaf", "parent-1", "child-1"] });
  await stage.flush();
  expect(child.about(ask.id, "refused")[0]?.message.lost).toBe("loop");
  expect(terminal.put).toEqual([]);
});

it.each([
  [8, []],
  [9, ["too_deep"]],
] as const)("parent answers an ask over %d sessions with refusals %j", async (hops, lost) => {
  await using stage = setStage();
  await stage.start();
  const child = stage.child();
  const path = Array.from({ length: hops }, (_, hop) => `leaf-${String(hop)}`);
  const origin = { sessionId: "leaf-0", agentName: "reviewer" };
  const { ask } = child.ask({ origin, path });
  await stage.flush();
  expect(child.about(ask.id, "refused").map(({ message }) => message.lost)).toEqual(lost);
});

it("parent refuses an ask of its own session", async () => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const self = stage.child("parent-1");
  const { ask } = self.ask();
  await stage.flush();
  expect(self.about(ask.id, "refused")[0]?.message.lost).toBe("self_target");
  expect(terminal.put).toEqual([]);
});

it.each([
  ["lacks a required field", "ask_malformed", { expiresAt: undefined }],
  ["is of another revision", "version_mismatch", { v: 2 }],
  ["names another session than its subject", "ask_malformed", { requesterSessionId: "child-2" }],
])("parent refuses an ask that %s as %s, without a prompt", async (_, lost, changes) => {
  await using stage = setStage();
  const { terminal } = await stage.start();
  const child = stage.child();
  const sealed = child.ask();
  const body = { ...sealed.ask, id: "perm-bad", ...changes };
  child.port.publish(SUBJECT, Buffer.from(JSON.stringify(body)));
  await stage.flush();
  const sent = stage.sent("perm-bad");
  const [refusal] = sent.map(({ text }) => JSON.parse(text) as unknown);
  expect(refusal).toMatchObject({ requestId: "perm-bad", lost, at: "parent-1" });
  expect(sent.map(({ proven }) => proven)).toEqual([true]);
  expect(terminal.put).toHaveLength(1);
});

it("parent refuses without proof where the key could not be read", async () => {
  await using stage = setStage();
  await stage.start();
  const child = stage.child();
  child.port.publish(SUBJECT, Buffer.from(JSON.stringify({ id: "perm-bad", nonce: "short" })));
  await stage.flush();
  expect(stage.sent("perm-bad").map(({ proven }) => proven)).toEqual([false]);
});

it("parent serves the next ask after a flood of what cannot be read", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const child = stage.child();
  for (const text of ["what", "{", "\u0000", "[".repeat(10_000), "null", '{"id":5}']) {
    child.port.publish(SUBJECT, Buffer.from(text, "latin1"));
    child.port.publish("af.v1.test.ack.parent-1.child-1", Buffer.from(text, "latin1"));
    child.port.publish("af.v1.test.cancel.parent-1.child-1.perm-x", Buffer.from(text, "latin1"));
  }
  const { ask } = child.ask();
  await stage.pass(10);
  expect(child.about(ask.id, "accepted")).toHaveLength(1);
  expect(process.parent.counters()).toMatchObject({
    malformed: 6,
    dropped_unreadable_cancel: 6,
    dropped_unreadable_receipt: 6,
  });
  const warnings = stage
    .records(process)
    .filter(({ body }) => body["event"] === "permission_forwarding.warning");
  expect(warnings).toHaveLength(1);
});

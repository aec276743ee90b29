import { describe, expect, it } from "vitest";
import { openControlLine } from "../../../src/bus/control-line.ts";
import { command } from "../../support/child-double.ts";
import { memoryBus } from "../../support/memory-bus.ts";
import { operatorDouble } from "../../support/operator-double.ts";
import { type ParentProcess, type ParentStage, setStage } from "../../support/parent-stage.ts";

const refusals = (stage: ParentStage, process: ParentProcess): readonly object[] =>
  stage
    .records(process)
    .filter(({ body }) => body["event"] === "operator.refused")
    .map(({ body }) => body);

const TWO = Array.from({ length: 2 }, (_, nth) => nth);

/** Publishes a body as it is, as one whose program is not ours would, and hears what comes back. */
function stranger(stage: ParentStage, operator = "mallory") {
  const port = stage.broker.connect();
  const heard: string[] = [];
  port.subscribe(`af.v1.test.inbox.${operator}.>`, ({ data }) =>
    heard.push(Buffer.from(data).toString("utf8")),
  );
  const put = async (op: string, body: string): Promise<void> => {
    port.publish(`af.v1.test.ctl.parent-1.${operator}.${op}`, Buffer.from(body));
    await stage.flush();
  };
  return { heard, put };
}

describe("an operator is refused", () => {
  it("while a link looks at the ask, for the links come before a person", async () => {
    await using stage = setStage();
    const { promise, resolve } = Promise.withResolvers<{ readonly kind: "defer" }>();
    const link = { name: "slow", judge: async () => promise };
    await stage.start({ links: [link], authorizerChain: ["slow"] });
    const { ask } = stage.child().ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    expect(await operator.answer(ask.id, "allow")).toMatchObject({
      refused: { why: "not_with_a_person", text: expect.stringContaining("link slow") as string },
    });
    resolve({ kind: "defer" });
    await stage.flush();
    expect(await operator.answer(ask.id, "allow")).toMatchObject({ op: "answer" });
  });

  it("while an ask rests that its child has not repeated to this process", async () => {
    await using stage = setStage();
    const first = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    await first.kill();
    await stage.start();
    const operator = operatorDouble(stage);
    expect(await operator.want({ op: "list", wants: {} })).toMatchObject({
      asks: [{ requestId: ask.id, state: "dormant", heldBy: null }],
    });
    expect(await operator.answer(ask.id, "deny")).toMatchObject({
      refused: { why: "not_with_a_person" },
    });
    child.repeat(ask.id);
    await stage.flush();
    expect(await operator.answer(ask.id, "deny")).toMatchObject({ op: "answer" });
  });

  it("when it was shown the ask before the ask was put once more", async () => {
    await using stage = setStage();
    const first = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    const { digest } = (await operator.shown(ask.id)).part;
    await first.kill();
    await stage.start();
    child.repeat(ask.id);
    await stage.flush();
    const now = await operator.shown(ask.id);
    expect(now.shown.reprompt).toBeGreaterThan(0);
    const wants = { requestId: ask.id, digest, answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants })).toMatchObject({
      refused: { why: "stale_digest", digest: now.part.digest },
    });
    expect(child.about(ask.id, "decision")).toEqual([]);
  });

  it("when nothing is heard of the child that asks", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    child.announce();
    await stage.pass(5_000);
    const operator = operatorDouble(stage);
    expect(await operator.answer(ask.id, "allow")).toMatchObject({
      refused: { why: "child_gone" },
    });
  });

  it.each([
    ["a grant that the ask does not suggest", { scope: "serving_session" }, "no_grant_suggested"],
    ["a width for one call", { width: "family" }, "no_width"],
  ])("when it wants %s", async (_what, more, why) => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const { sessionApproval: _, ...plain } = command("git push");
    const { ask } = child.ask({ ...plain, sessionApproval: undefined } as never);
    await stage.flush();
    expect(await operatorDouble(stage).answer(ask.id, "allow", more)).toMatchObject({
      refused: { why },
    });
  });

  it("a width over grants that are about no paths", async () => {
    await using stage = setStage();
    await stage.start();
    const { ask } = stage.child().ask(command("git push"));
    await stage.flush();
    const more = { scope: "child_session", width: "family" };
    expect(await operatorDouble(stage).answer(ask.id, "allow", more)).toMatchObject({
      refused: { why: "no_width" },
    });
  });

  it("an allow without evidence that it does not say it knows of", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const base = command("git push");
    const cut = "not carried: 9 bytes, sha256 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    const evidence = [{ label: "input", text: "x", detail: cut }];
    const { ask } = child.ask({ ...base, payload: { ...base.payload, evidence } as never });
    await stage.flush();
    const operator = operatorDouble(stage);
    expect(await operator.answer(ask.id, "allow")).toMatchObject({
      refused: { why: "view_incomplete" },
    });
    expect(await operator.answer(ask.id, "allow", { incomplete: true })).toMatchObject({
      op: "answer",
    });
  });

  it("an ask or a grant that is not here", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const operator = operatorDouble(stage);
    const wants = { requestId: "perm-none", digest: "d", answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants })).toMatchObject({
      refused: { why: "unknown_request" },
    });
    expect(await operator.want({ op: "revoke", wants: { grantId: "grant-none" } })).toMatchObject({
      refused: { why: "unknown_grant" },
    });
    await stage.pass(20);
    expect(refusals(stage, process)).toMatchObject([
      { operator: "alice", op: "answer", why: "unknown_request", requestId: "perm-none" },
      { operator: "alice", op: "revoke", why: "unknown_grant", grantId: "grant-none" },
    ]);
  });

  it.each(["parent-1", "child-1", "builder"])("the name of session %s", async (name) => {
    await using stage = setStage();
    const process = await stage.start({ roster: new Map([["builder", "reviewer"]]) });
    const { ask } = stage.child().ask();
    await stage.flush();
    const operator = operatorDouble(stage, name);
    expect(await operator.want({ op: "list", wants: {} })).toMatchObject({
      refused: { why: "not_an_operator" },
    });
    const wants = { requestId: ask.id, digest: "d", answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants })).toMatchObject({
      refused: { why: "not_an_operator" },
    });
    expect(process.parent.openAsks()).toHaveLength(1);
  });

  it("the name of a session that an ask has passed", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const origin = { sessionId: "deep", agentName: "reviewer" };
    const { accessIntent: _, ...plain } = command("git push");
    const { ask } = child.ask({ ...plain, origin, path: ["deep", "child-1"] });
    await stage.flush();
    expect(await operatorDouble(stage, "deep").answer(ask.id, "allow")).toMatchObject({
      refused: { why: "not_an_operator" },
    });
  });

  it("what the configuration does not let operators do", async () => {
    await using stage = setStage();
    await stage.start({ operatorOps: ["list"] });
    const { ask } = stage.child().ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    expect(await operator.want({ op: "list", wants: {} })).toMatchObject({ op: "list" });
    const wants = { requestId: ask.id, digest: "d", answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants })).toMatchObject({
      refused: { why: "switched_off" },
    });
  });

  it("what the configuration does not let operators do any longer", async () => {
    await using stage = setStage();
    const { parent } = await stage.start();
    const operator = operatorDouble(stage);
    expect(await operator.want({ op: "grants", wants: {} })).toMatchObject({ op: "grants" });
    parent.setOperatorOps(["list"]);
    expect(await operator.want({ op: "grants", wants: {} })).toMatchObject({
      refused: { why: "switched_off" },
    });
  });

  it.each([
    ["an answer without a digest", "answer", '{"id":"a","requestId":"r","answer":"allow"}'],
    ["an unknown answer", "answer", '{"id":"a","requestId":"r","digest":"d","answer":"maybe"}'],
    ["a request id that is no text", "answer", '{"id":"a","requestId":5}'],
    ["another revision", "list", '{"v":2,"id":"a"}'],
    ["an unknown op", "freeze", '{"id":"a"}'],
  ])("%s", async (_what, op, body) => {
    await using stage = setStage();
    const process = await stage.start();
    const { heard, put } = stranger(stage);
    await put(op, body);
    expect(heard).toHaveLength(1);
    expect(heard[0]).toContain('"id":"a","op":"refused"');
    await stage.pass(20);
    expect(refusals(stage, process)).toMatchObject([{ operator: "mallory", op }]);
  });

  it.each([
    ["no JSON", "{"],
    ["no id", "{}"],
    ["an id that is no token", '{"id":"a.b.>"}'],
    ["a body that is too long", JSON.stringify({ id: "a", pad: "x".repeat(40_000) })],
  ])("without an answer: %s", async (_what, body) => {
    await using stage = setStage();
    const process = await stage.start();
    const { heard, put } = stranger(stage);
    await put("answer", body);
    await stage.pass(20);
    expect(heard).toEqual([]);
    expect(refusals(stage, process)).toMatchObject([
      { operator: "mallory", op: "answer", why: "malformed" },
    ]);
  });

  it("a body that says two answers", async () => {
    await using stage = setStage();
    await stage.start();
    const { ask } = stage.child().ask();
    await stage.flush();
    const { digest } = (await operatorDouble(stage).shown(ask.id)).part;
    const { heard, put } = stranger(stage);
    const wants = JSON.stringify({ id: "i".repeat(22), requestId: ask.id, digest, answer: "deny" });
    await put("answer", `${wants.slice(0, -1)},"answer":"allow"}`);
    expect(heard).toEqual([]);
    expect(stage.sent(ask.id).filter(({ text }) => text.includes("approved"))).toEqual([]);
  });

  it("many times in a second, and a flood fills no disk", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const { put } = stranger(stage);
    for (let nth = 0; nth < 50; nth += 1) await put("answer", "{");
    await stage.pass(1_100);
    for (const _ of TWO) await put("answer", "{");
    await stage.pass(20);
    const found = refusals(stage, process);
    expect(found).toHaveLength(22);
    expect(found.at(-2)).toMatchObject({ omitted: 30 });
    expect(found.at(-1)).not.toHaveProperty("omitted");
    expect(process.parent.counters()["operator_refused"]).toBe(52);
  });
});

it("no operator is heard whose name is another spelling of a name", async () => {
  await using stage = setStage();
  const heard: unknown[] = [];
  const line = openControlLine({
    bus: memoryBus(stage.broker),
    session: "parent-9",
    onInbound: (inbound) => heard.push(inbound),
  });
  stage.broker.connect().publish("af.v1.test.ctl.parent-9.=61lice.list", Buffer.from('{"id":"a"}'));
  await stage.flush();
  expect(heard).toEqual([]);
  expect(line.dropped()).toEqual({ foreign_subject: 1 });
});

it("a session that serves no longer answers no operator", async () => {
  await using stage = setStage();
  const process = await stage.start();
  const operator = operatorDouble(stage);
  await process.parent.close();
  const answered = operator.line.ask("parent-1", { op: "list", wants: {} });
  await stage.pass(2_000);
  expect(await answered).toEqual({ op: "silence", why: "not_serving" });
});

import { describe, expect, it } from "vitest";
import { command } from "../../support/child-double.ts";
import { operatorDouble } from "../../support/operator-double.ts";
import { type ParentProcess, type ParentStage, setStage } from "../../support/parent-stage.ts";

const entries = (
  stage: ParentStage,
  process: ParentProcess,
  event: string,
): readonly Readonly<Record<string, unknown>>[] =>
  stage
    .records(process)
    .filter(({ body }) => body["event"] === event)
    .map(({ requestId, body }) => ({ requestId, ...body }));

describe("an operator", () => {
  it("lists open asks in the order of their arrival, each with who is asked", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const first = child.ask(command("git push")).ask;
    await stage.pass(1000);
    const second = child.ask(command("make\nall")).ask;
    await stage.flush();
    const operator = operatorDouble(stage);
    expect(await operator.want({ op: "list", wants: {} })).toEqual({
      op: "list",
      asks: [
        {
          requestId: first.id,
          state: "human",
          heldBy: { kind: "human" },
          child: "child-1",
          agentName: "reviewer",
          since: first.createdAt,
          expiresAt: first.expiresAt,
          surface: "bash",
          value: "git push",
        },
        expect.objectContaining({ requestId: second.id, value: "make\\nall" }),
      ],
    });
  });

  it("allows an ask it was shown, and the terminal's prompt is taken back", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    const decidedBy = { kind: "user", via: "operator", approver: "alice" };
    expect(await operator.answer(ask.id, "allow")).toEqual({
      op: "answer",
      answered: { requestId: ask.id, decidedBy },
    });
    await stage.flush();
    expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
      approved: true,
      state: "approved",
      decidedBy,
    });
    expect(process.terminal.of(ask.id).signal.reason).toBe("decided");
    expect(stage.story(process, ask.id)).toEqual([
      "forwarded_permission.accepted",
      "forwarded_permission.prompted",
      "ui_prompt",
      "operator.answered",
      "operator.answered",
      "forwarded_permission.approved",
      "decision user_approved",
    ]);
  });

  it("denies with a reason that reaches the child word for word", async () => {
    await using stage = setStage();
    await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    await operatorDouble(stage).answer(ask.id, "deny", { reason: "not on a Friday" });
    await stage.flush();
    expect(child.about(ask.id, "decision")[0]?.message).toMatchObject({
      approved: false,
      state: "denied_with_reason",
      denialReason: "not on a Friday",
    });
  });

  it("is shown an ask whole, as it is put to a person, without what only links see", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const { ask, askDigest } = stage.child().ask();
    await stage.flush();
    const { shown, part } = await operatorDouble(stage).shown(ask.id);
    const { accessIntent: _, ...details } = process.terminal.of(ask.id).ask.details;
    expect(shown).toEqual({ ...details, session: "parent-1", askDigest, reprompt: 0 });
    expect(part).toMatchObject({ state: "human", expiresAt: ask.expiresAt });
    expect(JSON.stringify(shown)).not.toContain(ask.nonce);
  });

  it("is refused with the digest that stands when it was shown something else", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const { ask } = stage.child().ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    const { digest } = (await operator.shown(ask.id)).part;
    const stale = { requestId: ask.id, digest: `${digest}x`, answer: "allow" } as const;
    expect(await operator.want({ op: "answer", wants: stale })).toMatchObject({
      op: "refused",
      refused: { why: "stale_digest", digest, text: expect.stringContaining(digest) as string },
    });
    expect(process.parent.openAsks()).toHaveLength(1);
    await stage.pass(20);
    expect(entries(stage, process, "operator.refused")).toEqual([
      {
        requestId: ask.id,
        event: "operator.refused",
        operator: "alice",
        op: "answer",
        why: "stale_digest",
      },
    ]);
  });

  it("gets the same bytes for the same want as often as it repeats it, and no second act", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const { ask } = stage.child().ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    const { digest } = (await operator.shown(ask.id)).part;
    const port = stage.broker.connect();
    const heard: string[] = [];
    port.subscribe("af.v1.test.inbox.bob.ctl.parent-1.one", ({ data }) =>
      heard.push(Buffer.from(data).toString("utf8")),
    );
    const body = { v: 1, id: "one", requestId: ask.id, digest, answer: "deny" };
    const put = (changes: object): void =>
      void port.publish(
        "af.v1.test.ctl.parent-1.bob.answer",
        Buffer.from(JSON.stringify({ ...body, ...changes })),
      );
    put({});
    put({});
    await stage.flush();
    put({});
    put({ answer: "allow" });
    await stage.pass(20);
    expect(heard).toHaveLength(4);
    expect(new Set(heard.slice(0, 3)).size).toBe(1);
    expect(heard[3]).toContain('"why":"id_conflict"');
    expect(
      entries(stage, process, "operator.answered").filter((one) => one["op"] === "answer"),
    ).toHaveLength(1);
  });

  it("and the person at the terminal answer at once: one verdict stands, the other one is told which", async () => {
    await using stage = setStage();
    const process = await stage.start();
    const child = stage.child();
    const { ask } = child.ask();
    await stage.flush();
    const operator = operatorDouble(stage);
    const { digest } = (await operator.shown(ask.id)).part;
    process.terminal.deny(ask.id);
    const answer = { requestId: ask.id, digest, answer: "allow" } as const;
    const decidedBy = { kind: "user", via: "dialog" };
    expect(await operator.want({ op: "answer", wants: answer })).toMatchObject({
      refused: { why: "ended", stands: { outcome: "denied", decidedBy } },
    });
    await stage.flush();
    expect(child.about(ask.id, "decision").map(({ message }) => message.approved)).toEqual([false]);
  });
});

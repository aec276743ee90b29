import { describe, expect, it } from "vitest";
import { aCall, type ChildScene, childScene, rulesOf, settle } from "../../support/child-scene.ts";

const told = (scene: ChildScene): readonly Readonly<Record<string, unknown>>[] =>
  scene.broker.log
    .filter(({ subject }) => subject === "af.v1.test.evt.child-1.decision")
    .map(({ data }) => JSON.parse(Buffer.from(data).toString()) as Record<string, unknown>);

const inShort = ({ event, result, resolution }: Readonly<Record<string, unknown>>): string =>
  [event ?? "decision", result, resolution].filter((word) => typeof word === "string").join(" ");

describe("what observers are told", () => {
  it("masks what is bound to the name of a secret, as the records do", async () => {
    await using scene = await childScene({ rules: rulesOf({ bash: "allow" }) });
    await scene.child.decide(
      aCall("", { toolName: "bash", input: { command: "make TOKEN=hunter22" } }),
    );
    const [event] = told(scene);
    expect(event).toMatchObject({ surface: "bash", result: "allow" });
    expect(String(event?.["value"])).toContain("[redacted]");
    expect(JSON.stringify(told(scene))).not.toContain("hunter22");
  });
});

describe("the records of one request", () => {
  it("tell of an approved ask from its waiting to its one decision, under one id", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    const ask = await scene.ask();
    scene.parent.accept(ask);
    scene.parent.decide(ask);
    await outcome;
    const records = scene.records();
    expect(records.map(inShort)).toEqual([
      "permission_request.waiting",
      "forwarded_permission.request_created",
      "forwarded_permission.accepted",
      "forwarded_permission.response_received",
      "permission_request.approved approved",
      "decision allow user_approved",
    ]);
    expect(records.map(({ requestId }) => requestId)).toEqual(records.map(() => ask.ask.id));
    expect(records.map(({ toolCallId }) => toolCallId)).toEqual([
      ...records.slice(1).map(() => "call-1"),
      undefined,
    ]);
    expect(records[0]).toMatchObject({
      accessIntent: { surface: "bash", units: [{ value: "make deploy" }] },
    });
    expect(JSON.stringify(records)).not.toContain(ask.ask.nonce);
    expect(JSON.stringify(records)).not.toContain("requesterCwd");
  });

  it("hold no secret of a command, which its parent is asked about as it is", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall("curl -H 'Authorization: Bearer s3cr3t-marker' x"));
    const ask = await scene.ask();
    expect(ask.ask.value).toContain("s3cr3t-marker");
    scene.parent.decide(ask);
    await outcome;
    expect(JSON.stringify(scene.records())).not.toContain("s3cr3t-marker");
    expect(JSON.stringify(scene.records())).toContain("[redacted]");
  });

  it("are cut to the configured width, but keep their event and their id whole", async () => {
    await using scene = await childScene({ reviewLogFieldMaxWidth: 5, parent: null });
    const { requests } = await scene.child.decide(aCall(`make ${"deploy".repeat(20)}`));
    const [entry] = scene.records("permission_request.blocked");
    expect(entry).toMatchObject({ requestId: requests[0]?.requestId, value: "make …" });
  });

  it("name the person who denied and the words", async () => {
    await using scene = await childScene();
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask(), {
      approved: false,
      state: "denied_with_reason",
      denialReason: "no",
      decidedBy: { kind: "user", via: "stdin", approver: "op-1" },
    });
    await outcome;
    expect(scene.records("permission_request.denied")[0]).toMatchObject({
      decidedBy: { kind: "forwarded", decision: { kind: "user", approver: "op-1" } },
      denialReason: "no",
    });
  });
});

describe("the live event of a request", () => {
  it("comes once per request, and names neither the decider nor the call", async () => {
    await using scene = await childScene({
      rules: rulesOf({ bash: { "make test": "allow", "rm *": "deny" } }),
    });
    await scene.child.decide(aCall("make test"));
    await scene.child.decide(aCall("rm notes.txt"));
    const outcome = scene.child.decide(aCall());
    scene.parent.decide(await scene.ask());
    await outcome;
    await settle();
    expect(told(scene).map(inShort)).toEqual([
      "decision allow policy_allow",
      "decision deny policy_deny",
      "decision allow user_approved",
    ]);
    for (const event of told(scene)) {
      expect(Object.keys(event)).toEqual([
        "requestId",
        "surface",
        "value",
        "agentName",
        "result",
        "resolution",
        "origin",
        "matchedPattern",
      ]);
    }
  });

  it("comes for a call whose check failed as well", async () => {
    await using scene = await childScene();
    const { requests } = await scene.child.decide({ toolName: "bash", input: {}, cwd: "here" });
    await settle();
    expect(told(scene)).toEqual([
      expect.objectContaining({
        requestId: requests[0]?.requestId,
        result: "deny",
        resolution: "gate_error",
      }),
    ]);
  });
});

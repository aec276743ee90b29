import { describe, expect, it } from "vitest";
import type { Ask } from "../../../src/ask/ask.ts";
import { parseAsk } from "../../../src/wire/ask.ts";
import { readJson } from "../../../src/wire/body.ts";
import { encodeAsk } from "../../../src/wire/encode.ts";
import { encodeToken } from "../../../src/wire/token.ts";
import { ASKED_AT, anAsk } from "../../support/asks.ts";

const SUBJECT = { parent: "parent-1", child: "child-1" };
const REQUIRED = [
  "id",
  "createdAt",
  "expiresAt",
  "requesterSessionId",
  "targetSessionId",
  "requesterAgentName",
  "nonce",
];

function bodyOf(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { ...(readJson(encodeAsk(anAsk())) as Record<string, unknown>), ...changes };
}

function read(changes: Record<string, unknown>): Ask {
  const parsed = parseAsk(SUBJECT, bodyOf(changes));
  if (!parsed.ok) throw new Error(`refused: ${parsed.fields.join(" ")}`);
  return parsed.ask;
}

function refusal(changes: Record<string, unknown>, subject = SUBJECT): object {
  const parsed = parseAsk(subject, bodyOf(changes));
  return parsed.ok ? { ok: true } : { reason: parsed.reason, fields: parsed.fields };
}

describe("the required fields of an ask", () => {
  it.each(REQUIRED)("parent refuses an ask without %s by name", (field) => {
    const { [field]: _, ...body } = bodyOf();
    expect(parseAsk(SUBJECT, body)).toMatchObject({ reason: "ask_malformed", fields: [field] });
  });

  it.each(REQUIRED.flatMap((field) => [null, [], {}, true, ""].map((value) => ({ field, value }))))(
    "parent refuses $value as $field",
    ({ field, value }) => {
      expect(refusal({ [field]: value })).toEqual({ reason: "ask_malformed", fields: [field] });
    },
  );

  it.each(["id", "requesterSessionId", "targetSessionId", "requesterAgentName"])(
    "parent refuses half a surrogate pair in %s",
    (field) => {
      expect(refusal({ [field]: "x\ud800" })).toMatchObject({ fields: [field] });
    },
  );

  it("parent names every wrong field at once, in the order of the table", () => {
    expect(
      refusal({ nonce: "short", id: 7, createdAt: "soon", requesterSessionId: "kid" }),
    ).toEqual({
      reason: "ask_malformed",
      fields: ["id", "createdAt", "requesterSessionId", "nonce"],
    });
  });

  it.each([null, [], "ask", 7, true, undefined])("parent refuses %j as an ask", (body) => {
    expect(parseAsk(SUBJECT, body)).toEqual({
      ok: false,
      reason: "ask_malformed",
      fields: REQUIRED,
      requestId: null,
      nonce: null,
    });
  });

  it("a refused ask still gives the id and the nonce that could be read", () => {
    expect(parseAsk(SUBJECT, bodyOf({ createdAt: null }))).toMatchObject({
      requestId: anAsk().id,
      nonce: anAsk().nonce,
    });
    expect(parseAsk(SUBJECT, bodyOf({ id: "", nonce: "short" }))).toMatchObject({
      requestId: null,
      nonce: null,
    });
  });

  it("parent refuses an id that would fill the header of each record about it", () => {
    expect(parseAsk(SUBJECT, bodyOf({ id: "x".repeat(1_024) })).ok).toBe(true);
    const long = bodyOf({ id: "x".repeat(1_025) });
    expect(parseAsk(SUBJECT, long)).toMatchObject({ fields: ["id"], requestId: null });
  });

  it.each([
    ["one character short", "A".repeat(42)],
    ["one character long", "A".repeat(44)],
    ["padded", `${"A".repeat(43)}=`],
    ["in the other alphabet", `${"A".repeat(41)}+/`],
    ["with stray bits", `${"A".repeat(42)}B`],
    ["with a line end", `${"A".repeat(43)}\n`],
  ])("parent refuses a nonce that is %s", (_why, nonce) => {
    expect(refusal({ nonce })).toMatchObject({ fields: ["nonce"] });
  });
});

describe("the life of an ask", () => {
  it.each([
    [0, false],
    [-1, false],
    [0.5, true],
    [1, true],
    [86_400_000, true],
    [86_400_001, false],
  ])("of %d ms is accepted: %s", (life, accepted) => {
    const parsed = parseAsk(SUBJECT, bodyOf({ expiresAt: ASKED_AT + life }));
    expect(parsed.ok).toBe(accepted);
  });

  it("must be finite", () => {
    const text = JSON.stringify(bodyOf({ expiresAt: 0 })).replace(
      '"expiresAt":0',
      '"expiresAt":1e999',
    );
    expect(parseAsk(SUBJECT, readJson(text))).toMatchObject({ fields: ["expiresAt"] });
  });
});

describe("the sessions of an ask", () => {
  it("must be those of its subject", () => {
    expect(refusal({}, { parent: "parent-2", child: "child-1" })).toEqual({
      reason: "ask_malformed",
      fields: ["targetSessionId"],
    });
    expect(refusal({}, { parent: "parent-1", child: "child-2" })).toEqual({
      reason: "ask_malformed",
      fields: ["requesterSessionId"],
    });
  });

  it("are compared as tokens", () => {
    const names = { requesterSessionId: "kid.1", targetSessionId: "b".repeat(97) };
    const subject = { child: "kid=2E1", parent: encodeToken(names.targetSessionId) };
    expect(parseAsk(subject, bodyOf(names))).toMatchObject({ ok: true, ask: names });
    expect(parseAsk({ child: "kid.1", parent: "boss" }, bodyOf(names))).toMatchObject({
      fields: ["requesterSessionId", "targetSessionId"],
    });
  });
});

describe("a session without a name", () => {
  it.each([
    ["requesterSessionId", { parent: "parent-1", child: "=" }],
    ["targetSessionId", { parent: "=", child: "child-1" }],
  ])("is refused as %s even where the subject says the same", (field, subject) => {
    expect(refusal({ [field]: "" }, subject)).toEqual({ reason: "ask_malformed", fields: [field] });
  });
});

describe("the revision of an ask", () => {
  it.each([2, 0, "1", null, true, [1], { v: 1 }])("%j is another revision", (v) => {
    expect(refusal({ v })).toEqual({ reason: "version_mismatch", fields: [] });
  });

  it("may be left out", () => {
    const { v, ...body } = bodyOf();
    expect(v).toBe(1);
    expect(parseAsk(SUBJECT, body).ok).toBe(true);
  });

  it("is named before anything that is missing", () => {
    expect(parseAsk(SUBJECT, { v: 2 })).toMatchObject({ reason: "version_mismatch" });
  });
});

describe("the optional parts of an ask", () => {
  it("survive when they are well formed", () => {
    const ask = anAsk({
      source: "skill_read",
      origin: { sessionId: "leaf", agentName: "scout" },
      path: ["leaf", "child-1"],
      accessIntent: {
        ...anAsk().accessIntent,
        surface: "path_read",
        matchValues: [],
        boundaryValue: "/srv",
        requesterCwd: "",
        principal: { sessionId: "leaf", agentName: "scout" },
      },
    });
    expect(parseAsk(SUBJECT, readJson(encodeAsk(ask)))).toEqual({ ok: true, ask });
  });

  it.each([
    ["payload", { kind: "widget" }],
    ["payload", null],
    ["sessionApproval", { grants: [] }],
    ["sessionApproval", { grants: [{ surface: "", pattern: "*" }] }],
    ["sessionApproval", { grants: [{ surface: "bash", pattern: "*" }, { surface: "bash" }] }],
    ["sessionApproval", { grants: [{ surface: "bash", pattern: "\ud800" }] }],
    ["sessionApproval", { surface: "bash", patterns: ["*"] }],
    ["sessionApproval", { grants: { 0: { surface: "bash", pattern: "*" } } }],
    ["accessIntent", null],
    ["accessIntent", { ...anAsk().accessIntent, matchValues: ["a", 3] }],
    ["accessIntent", { ...anAsk().accessIntent, matchValues: ["\udc00"] }],
    ["accessIntent", { ...anAsk().accessIntent, boundaryValue: undefined }],
    ["accessIntent", { ...anAsk().accessIntent, requesterCwd: null }],
    ["accessIntent", { ...anAsk().accessIntent, units: null }],
    ["accessIntent", { ...anAsk().accessIntent, units: [{ value: "ls", floor: null }] }],
    [
      "accessIntent",
      { ...anAsk().accessIntent, units: [{ value: "ls", floor: null, context: "loop" }] },
    ],
    ["accessIntent", { ...anAsk().accessIntent, paths: {} }],
    ["accessIntent", { ...anAsk().accessIntent, paths: [{ surface: "path", matchValues: [] }] }],
    ["accessIntent", { ...anAsk().accessIntent, principal: undefined }],
    ["origin", { sessionId: "leaf" }],
    ["origin", { sessionId: "", agentName: "scout" }],
    ["origin", null],
    ["path", ["leaf", 7]],
    ["path", ["leaf", ""]],
    ["path", "leaf"],
    ["toolCallId", 7],
    ["toolCallId", "\ud800"],
    ["actionDigest", null],
  ])("a %s that reads %j is absent and the ask stands", (field, value) => {
    const { [field as "payload"]: _, ...rest } = anAsk();
    expect(read({ [field]: value })).toEqual(rest);
  });

  it.each([
    [{ surface: 7 }, null],
    [{ surface: null }, null],
    [{ surface: "\ud800" }, null],
    [{ surface: "" }, ""],
    [{ surface: { text: "bash" } }, null],
  ])("display %j is shown as %j", (changes, shown) => {
    expect(read(changes).surface).toBe(shown);
  });

  it("display fields that were not sent stay unsaid", () => {
    const { surface, value, ...body } = bodyOf();
    expect([surface, value]).toEqual(["bash", "git push origin main"]);
    const parsed = parseAsk(SUBJECT, body);
    expect(parsed).toHaveProperty("ask.source", "tool_call");
    expect(parsed).not.toHaveProperty("ask.surface");
    expect(parsed).not.toHaveProperty("ask.value");
  });

  it.each(["chat", null, 7, "Tool_call", "constructor", undefined])(
    "source %j reads as a tool call",
    (source) => {
      expect(read({ source }).source).toBe("tool_call");
    },
  );

  it("what the table does not name is not carried", () => {
    const ask = read({ message: "Allow git?", approved: true, __proto__: null });
    expect(Object.keys(ask).sort()).toEqual(Object.keys(anAsk()).sort());
  });
});

describe("the principal of an ask's facts", () => {
  const intentOf = (sessionId: string, agentName: string) => ({
    ...anAsk().accessIntent,
    principal: { sessionId, agentName },
  });

  it.each([
    [intentOf("child-2", "reviewer")],
    [intentOf("child-1", "root")],
    [intentOf("CHILD-1", "reviewer")],
  ])("must be the requester", (accessIntent) => {
    expect(read({ accessIntent })).not.toHaveProperty("accessIntent");
  });

  it("must be the origin of a relayed ask", () => {
    const origin = { sessionId: "leaf", agentName: "scout" };
    expect(read({ origin, accessIntent: intentOf("leaf", "scout") })).toHaveProperty(
      "accessIntent.principal",
      origin,
    );
    expect(read({ origin, accessIntent: intentOf("child-1", "reviewer") })).not.toHaveProperty(
      "accessIntent",
    );
  });

  it("is measured by the requester when the origin is malformed", () => {
    const ask = read({ origin: { sessionId: "leaf" } });
    expect(ask.accessIntent).toEqual(anAsk().accessIntent);
  });
});

describe("a hostile ask", () => {
  it("supplies nothing under __proto__", () => {
    const text = `{"__proto__":${JSON.stringify(bodyOf())},"id":"perm-1"}`;
    expect(parseAsk(SUBJECT, readJson(text))).toMatchObject({
      ok: false,
      fields: REQUIRED.filter((field) => field !== "id"),
      requestId: "perm-1",
      nonce: null,
    });
  });

  it("supplies nothing through a prototype", () => {
    expect(parseAsk(SUBJECT, Object.create(bodyOf()) as object).ok).toBe(false);
  });

  it("is read while an ignored field is nested without end", () => {
    const text = encodeAsk(anAsk()).replace(
      '"source"',
      `"junk":${"[".repeat(50_000)}${"]".repeat(50_000)},"source"`,
    );
    expect(parseAsk(SUBJECT, readJson(text))).toEqual({ ok: true, ask: anAsk() });
  });

  it("loses a part that is nested without end", () => {
    const bomb = `${'{"decision":'.repeat(20_000)}1${"}".repeat(20_000)}`;
    const text = encodeAsk(anAsk()).replace('"payload":{', `"payload":{"evidence":${bomb},`);
    const { payload: _, ...rest } = anAsk();
    const doubled = readJson(text.replace(/"evidence":\[.*?\],"annotations"/, '"annotations"'));
    expect(parseAsk(SUBJECT, doubled)).toEqual({ ok: true, ask: rest });
  });

  it("is frozen at every level once it is read", () => {
    const ask = read({});
    const parts = [ask, ask.payload, ask.payload?.request.requester, ask.payload?.evidence[0]];
    const facts = [ask.accessIntent, ask.accessIntent?.units, ask.accessIntent?.matchValues];
    for (const part of [...parts, ...facts, ask.sessionApproval?.grants]) {
      expect(part).toBeDefined();
      expect(Object.isFrozen(part)).toBe(true);
    }
  });
});

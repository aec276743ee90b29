import { describe, expect, it } from "vitest";
import type { DecisionSource } from "../../../src/ask/decision.ts";
import { parseDecidedBy } from "../../../src/wire/decider.ts";

const SOURCES: DecisionSource[] = [
  { kind: "user", via: "dialog" },
  { kind: "user", via: "select", approver: "op-2" },
  { kind: "authorizer", name: "night-watch", verdict: "allow", reason: null },
  { kind: "authorizer", name: "night-watch", verdict: "deny", reason: "" },
  { kind: "rule", surface: "bash", pattern: null, origin: null },
  { kind: "rule", surface: "bash", pattern: "make *", origin: "project" },
  { kind: "session_approval", surface: "bash", pattern: null },
  { kind: "session_approval", surface: "bash", pattern: "make *", grantId: "g-1" },
  { kind: "yolo", pattern: null },
  { kind: "infrastructure_read" },
  { kind: "unavailable", reason: "timed_out" },
  { kind: "unavailable", reason: "timed_out", at: "mid" },
  { kind: "gate_error", reason: "lookup failed" },
  { kind: "forwarded", responderSessionId: null, decision: null },
  { kind: "forwarded", responderSessionId: "hop", decision: { kind: "infrastructure_read" } },
];

const REQUIRED: [DecisionSource["kind"], string][] = [
  ["user", "via"],
  ["authorizer", "name"],
  ["authorizer", "verdict"],
  ["authorizer", "reason"],
  ["rule", "surface"],
  ["rule", "pattern"],
  ["rule", "origin"],
  ["session_approval", "surface"],
  ["session_approval", "pattern"],
  ["yolo", "pattern"],
  ["unavailable", "reason"],
  ["gate_error", "reason"],
  ["forwarded", "responderSessionId"],
  ["forwarded", "decision"],
];

function framed(source: DecisionSource | null, frames: number): DecisionSource | null {
  let value = source;
  for (let i = 0; i < frames; i += 1) {
    value = { kind: "forwarded", responderSessionId: `hop-${i}`, decision: value };
  }
  return value;
}

const ofKind = (kind: string): Record<string, unknown> => ({
  ...SOURCES.find((source) => source.kind === kind),
});

describe("who decided, on the wire", () => {
  it.each(SOURCES)("$kind comes back equal and frozen", (source) => {
    const read = parseDecidedBy(structuredClone(source));
    expect(read).toEqual(source);
    expect(Object.isFrozen(read)).toBe(true);
  });

  it.each(REQUIRED)("%s is nobody without %s", (kind, field) => {
    const { [field]: _, ...rest } = ofKind(kind);
    expect(parseDecidedBy(rest)).toBeNull();
  });

  it.each(REQUIRED)("%s is nobody with a number as %s", (kind, field) => {
    expect(parseDecidedBy({ ...ofKind(kind), [field]: 7 })).toBeNull();
  });

  it.each([
    ["user", "approver"],
    ["session_approval", "grantId"],
    ["unavailable", "at"],
  ])("%s is nobody with null as %s", (kind, field) => {
    expect(parseDecidedBy({ ...ofKind(kind), [field]: null })).toBeNull();
  });

  it.each([
    ["authorizer", "name"],
    ["rule", "surface"],
    ["session_approval", "surface"],
    ["unavailable", "reason"],
    ["gate_error", "reason"],
    ["forwarded", "responderSessionId"],
  ])("%s is nobody with an empty %s", (kind, field) => {
    expect(parseDecidedBy({ ...ofKind(kind), [field]: "" })).toBeNull();
  });

  it.each(["phone", "Dialog", "", null, "toString"])("a person does not answer via %j", (via) => {
    expect(parseDecidedBy({ kind: "user", via })).toBeNull();
  });

  it.each(["defer", "Allow", "", null, true])("a link does not decide %j", (verdict) => {
    expect(parseDecidedBy({ kind: "authorizer", name: "n", verdict, reason: null })).toBeNull();
  });

  it.each(["robot", "toString", "__proto__", "constructor", "User", "", null, 7, undefined])(
    "nobody is of kind %j",
    (kind) => {
      expect(parseDecidedBy({ kind })).toBeNull();
    },
  );

  it("what its kind does not name is dropped, in frames too", () => {
    const decision = { kind: "yolo", pattern: "*", via: "dialog" };
    expect(
      parseDecidedBy({ kind: "forwarded", responderSessionId: "b", decision, approved: true }),
    ).toEqual({
      kind: "forwarded",
      responderSessionId: "b",
      decision: { kind: "yolo", pattern: "*" },
    });
  });

  it("stands under eight frames and not under nine", () => {
    const yolo: DecisionSource = { kind: "yolo", pattern: null };
    expect(parseDecidedBy(framed(yolo, 8))).toEqual(framed(yolo, 8));
    expect(parseDecidedBy(framed(yolo, 9))).toBeNull();
  });

  it("counts the frame around null", () => {
    expect(parseDecidedBy(framed(null, 8))).toEqual(framed(null, 8));
    expect(parseDecidedBy(framed(null, 9))).toBeNull();
  });

  it("is spoiled by a malformed source in the innermost frame", () => {
    const broken = { kind: "rule", surface: "bash" } as unknown as DecisionSource;
    expect(parseDecidedBy(framed(broken, 3))).toBeNull();
  });

  it("is nobody under frames without end", () => {
    expect(parseDecidedBy(framed(null, 100_000))).toBeNull();
  });

  it("takes nothing from a __proto__ key", () => {
    expect(parseDecidedBy(JSON.parse('{"__proto__":{"via":"dialog"},"kind":"user"}'))).toBeNull();
  });

  it.each([null, undefined, [], "user", 7])("%j is nobody", (value) => {
    expect(parseDecidedBy(value)).toBeNull();
  });
});

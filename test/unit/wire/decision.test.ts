import { describe, expect, it } from "vitest";
import type { DecisionSource } from "../../../src/ask/decision.ts";
import { readDec } from "../../../src/wire/dec.ts";
import { parseDecision } from "../../../src/wire/decision.ts";
import { aDecision } from "../../support/asks.ts";

const RID = aDecision().requestId;
const read = (changes: Record<string, unknown>) =>
  parseDecision(RID, { ...aDecision(), ...changes });

const link = (verdict: "allow" | "deny"): DecisionSource => ({
  kind: "authorizer",
  name: "gate",
  verdict,
  reason: null,
});
const unavailable: DecisionSource = { kind: "unavailable", reason: "timed_out" };
const gateError: DecisionSource = { kind: "gate_error", reason: "x" };
const rule: DecisionSource = { kind: "rule", surface: "bash", pattern: "*", origin: "global" };
const yolo: DecisionSource = { kind: "yolo", pattern: null };
const framed = (decision: DecisionSource | null): DecisionSource => ({
  kind: "forwarded",
  responderSessionId: "mid",
  decision: { kind: "forwarded", responderSessionId: "root", decision },
});

describe("a decision on the wire", () => {
  it("comes back equal and frozen with everything it can carry", () => {
    const full = aDecision({
      state: "approved_for_session",
      sessionGrantWidth: "family",
      via: ["mid", "root"],
    });
    const message = parseDecision(RID, { v: 1, ...full });
    expect(message).toEqual(full);
    for (const part of [message, message?.decidedBy, message?.via]) {
      expect(part).toBeDefined();
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  const required = [
    "requestId",
    "askDigest",
    "incarnation",
    "approved",
    "state",
    "responderSessionId",
    "respondedAt",
    "decidedBy",
  ];

  it.each(required)("is none without %s", (field) => {
    const { [field as "state"]: _, ...rest } = aDecision();
    expect(parseDecision(RID, rest)).toBeNull();
  });

  it.each(required.flatMap((field) => [null, [], {}, ""].map((value) => ({ field, value }))))(
    "is none with $value as $field",
    ({ field, value }) => {
      expect(read({ [field]: value })).toBeNull();
    },
  );

  it.each(["askDigest", "incarnation", "responderSessionId", "denialReason"])(
    "is none with half a surrogate pair in %s",
    (field) => {
      expect(read({ [field]: "\ud800" })).toBeNull();
    },
  );

  it.each([
    [{ v: 2 }],
    [{ v: null }],
    [{ v: "1" }],
    [{ respondedAt: Number.POSITIVE_INFINITY }],
    [{ approved: "true" }],
    [{ approved: 1 }],
    [{ state: "approved_always" }],
    [{ state: "approved_for_serving_session" }],
    [{ state: "Approved" }],
    [{ state: "toString" }],
    [{ denialReason: 7 }],
    [{ via: "mid" }],
    [{ via: ["mid", 7] }],
    [{ via: ["mid", ""] }],
    [{ decidedBy: framed({ ...rule, surface: 7 } as unknown as DecisionSource) }],
  ])("is none with %j", (changes) => {
    expect(read(changes)).toBeNull();
  });

  it("is none for the token of another request", () => {
    expect(parseDecision("perm-8", aDecision())).toBeNull();
    const dotted = aDecision({ requestId: "perm.8" });
    expect(parseDecision("perm.8", dotted)).toBeNull();
    expect(parseDecision("perm=2E8", dotted)).toEqual(dotted);
    expect(parseDecision("=", aDecision({ requestId: "" }))).toBeNull();
  });

  it("loses a grant width it does not know, and only that", () => {
    expect(read({ sessionGrantWidth: "everything" })).toEqual(aDecision());
    expect(read({ sessionGrantWidth: null })).toEqual(aDecision());
  });

  it("may come without a revision and with fields of a newer peer", () => {
    expect(read({ resolution: "quarantined" })).toEqual(aDecision());
  });
});

describe("a decision that contradicts itself", () => {
  it.each([
    [true, "denied"],
    [true, "denied_with_reason"],
    [false, "approved"],
    [false, "approved_for_session"],
  ])("approved %s with state %s is none", (approved, state) => {
    expect(read({ approved, state })).toBeNull();
  });

  it.each([link("deny"), unavailable, gateError])("an approval by $kind is none", (decidedBy) => {
    expect(read({ decidedBy })).toBeNull();
    expect(read({ decidedBy: framed(decidedBy) })).toBeNull();
    expect(read({ decidedBy, approved: false, state: "denied" })).not.toBeNull();
  });

  it("a refusal by a link that allowed is none", () => {
    expect(read({ decidedBy: link("allow") })).not.toBeNull();
    expect(read({ decidedBy: link("allow"), approved: false, state: "denied" })).toBeNull();
    expect(read({ decidedBy: framed(link("allow")), approved: false, state: "denied" })).toBeNull();
  });

  it.each([rule, yolo, link("allow"), { kind: "infrastructure_read" } as const])(
    "an approval for the session by $kind is none",
    (decidedBy) => {
      expect(read({ decidedBy, state: "approved_for_session" })).toBeNull();
      expect(read({ decidedBy: framed(decidedBy), state: "approved_for_session" })).toBeNull();
      expect(read({ decidedBy, state: "approved" })).not.toBeNull();
    },
  );

  it("a frame around null contradicts nothing", () => {
    expect(read({ decidedBy: framed(null) })).not.toBeNull();
    expect(read({ decidedBy: framed(null), state: "approved_for_session" })).not.toBeNull();
    expect(
      read({ decidedBy: framed(null), approved: false, state: "denied_with_reason" }),
    ).not.toBeNull();
  });
});

describe("a body on the decision subject", () => {
  const accepted = {
    requestId: RID,
    askDigest: "digest",
    incarnation: "1.k3",
    state: "human",
  };
  const bodies = {
    accepted,
    progress: { ...accepted, heldBy: { kind: "authorizer", name: "gate" }, ahead: 2 },
    decision: aDecision(),
    refused: { requestId: RID, lost: "frozen", at: "parent-1" },
    withdrawn: { requestId: RID, effect: "unknown" },
  };

  it.each(Object.entries(bodies))("is read as %s by the fields it has", (kind, message) => {
    expect(readDec(RID, message)).toEqual({ kind, message });
    expect(readDec(RID, { v: 1, ...message })).toEqual({ kind, message });
    expect(readDec(RID, { v: 2, ...message })).toBeNull();
    expect(readDec("perm-8", message)).toBeNull();
    expect(readDec(RID, [message])).toBeNull();
  });

  const { accepted: _, ...marked } = bodies;
  const pairs = Object.entries(marked).flatMap(([one, left], i) =>
    Object.entries(marked)
      .slice(i + 1)
      .map(([other, right]) => ({ one, other, both: { ...left, ...right } })),
  );

  it.each(pairs)("is unreadable when it is $one and $other at once", ({ both }) => {
    expect(readDec(RID, both)).toBeNull();
  });

  it.each([
    ["a decision without its verdict", { ...aDecision(), approved: undefined }],
    ["a decision without its decider", { ...aDecision(), decidedBy: undefined }],
    ["an acceptance with a verdict's state", { ...accepted, state: "approved" }],
    ["an acceptance that is approved", { ...accepted, approved: true }],
    ["an unknown loss", { ...bodies.refused, lost: "bored" }],
    ["a loss named after a built-in", { ...bodies.refused, lost: "toString" }],
    ["a loss without a place", { ...bodies.refused, at: undefined }],
    ["an unknown effect", { ...bodies.withdrawn, effect: "gone" }],
    ["a negative queue", { ...bodies.progress, ahead: -1 }],
    ["a holder without a kind", { ...bodies.progress, heldBy: {} }],
    ["nothing", {}],
  ])("is unreadable as %s", (_why, body) => {
    expect(readDec(RID, JSON.parse(JSON.stringify(body)))).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import type { DecisionSource } from "../../../src/ask/decision.ts";
import { readJson } from "../../../src/wire/body.ts";
import { readDec } from "../../../src/wire/dec.ts";
import { encodeAsk, encodeDec } from "../../../src/wire/encode.ts";
import { aDecision, anAsk } from "../../support/asks.ts";

const RID = aDecision().requestId;

describe("what is written to the wire", () => {
  it("holds the fields of its table and nothing a caller had beside them", () => {
    const loose = { ...anAsk(), secret: "s3cret", message: "Allow?" };
    expect(Object.keys(readJson(encodeAsk(loose)) as object)).toEqual([
      "v",
      ...Object.keys(anAsk()),
    ]);
    const decision = { ...aDecision(), secret: "s3cret" };
    const text = encodeDec({ kind: "decision", message: decision });
    expect(text).not.toContain("secret");
  });

  it("gives the child a readable denial whatever a person typed", () => {
    const message = aDecision({
      approved: false,
      state: "denied_with_reason",
      denialReason: "use \ud83d staging",
    });
    const read = readDec(RID, readJson(encodeDec({ kind: "decision", message })));
    expect(read).toMatchObject({ message: { denialReason: "use \ufffd staging" } });
  });

  it.each<[DecisionSource, DecisionSource]>([
    [
      { kind: "gate_error", reason: "" },
      { kind: "gate_error", reason: "unspecified" },
    ],
    [
      { kind: "unavailable", reason: "\ud800", at: "mid" },
      { kind: "unavailable", reason: "\ufffd", at: "mid" },
    ],
    [
      { kind: "authorizer", name: "gate", verdict: "deny", reason: "\ud800" },
      { kind: "authorizer", name: "gate", verdict: "deny", reason: "\ufffd" },
    ],
  ])("gives the child a readable decider for %j", (decidedBy, readable) => {
    const framed = { kind: "forwarded", responderSessionId: "mid", decision: decidedBy } as const;
    const message = aDecision({ approved: false, state: "denied", decidedBy: framed });
    const read = readDec(RID, readJson(encodeDec({ kind: "decision", message })));
    expect(read).toMatchObject({ message: { decidedBy: { decision: readable } } });
  });

  it("names a loss with a detail that can be read", () => {
    const message = { requestId: RID, lost: "gate_error", at: "boss", detail: "\udc00!" } as const;
    const read = readDec(RID, readJson(encodeDec({ kind: "refused", message })));
    expect(read).toEqual({ kind: "refused", message: { ...message, detail: "\ufffd!" } });
  });
});

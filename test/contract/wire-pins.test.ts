import { describe, expect, it } from "vitest";
import { MAX_ASK_BYTES, MAX_ASK_LIFE_MS, MAX_HOPS } from "../../src/ask/ask.ts";
import {
  CONTROL_OPS,
  CONTROL_REFUSALS,
  MAX_CONTROL_ANSWER_BYTES,
  MAX_CONTROL_REQUEST_BYTES,
  MAX_REASON_CHARACTERS,
} from "../../src/ask/control.ts";
import { ANSWER_WAYS, DECISION_STATES, MAX_FRAMES } from "../../src/ask/decision.ts";
import { LOST_REASONS } from "../../src/ask/lost.ts";
import { controlAnswerSubject } from "../../src/wire/control.ts";
import {
  PROOF_HEADER,
  REMAINING_HEADER,
  SIGNATURE_HEADER,
  TRACE_HEADER,
} from "../../src/wire/headers.ts";
import { createSubjects } from "../../src/wire/subjects.ts";
import { MAX_TOKEN_LENGTH } from "../../src/wire/token.ts";

describe("what peers of revision v1 see", () => {
  it("subjects are spelled so", () => {
    const s = createSubjects("af.v1.default");
    const hop = { parent: "P", child: "C" };
    expect([
      s.of("ask", hop),
      s.of("dec", { ...hop, rid: "R" }),
      s.of("ack", hop),
      s.of("cancel", { ...hop, rid: "R" }),
      s.of("up", hop),
      s.of("hb", { session: "S" }),
      s.of("ctl", { session: "S", operator: "O", op: "list" }),
      s.of("frz", { keeper: "K" }),
      s.of("evt", { session: "S", event: "ui_prompt" }),
      s.of("evt", { session: "S", event: "decision" }),
      s.of("evt", { session: "S", event: "ready" }),
      s.of("audit", { session: "S", record: "review" }),
      s.of("audit", { session: "S", record: "ui_prompt" }),
      s.of("audit", { session: "S", record: "decision" }),
      s.inbox("S"),
      s.filter("ask", { parent: "P" }),
      s.filter("dec", { child: "C" }),
      s.filter("cancel", { parent: "P" }),
    ]).toEqual([
      "af.v1.default.ask.P.C",
      "af.v1.default.dec.P.C.R",
      "af.v1.default.ack.P.C",
      "af.v1.default.cancel.P.C.R",
      "af.v1.default.up.P.C",
      "af.v1.default.hb.S",
      "af.v1.default.ctl.S.O.list",
      "af.v1.default.frz.K",
      "af.v1.default.evt.S.ui_prompt",
      "af.v1.default.evt.S.decision",
      "af.v1.default.evt.S.ready",
      "af.v1.default.audit.S.review",
      "af.v1.default.audit.S.ui_prompt",
      "af.v1.default.audit.S.decision",
      "af.v1.default.inbox.S",
      "af.v1.default.ask.P.*",
      "af.v1.default.dec.*.C.*",
      "af.v1.default.cancel.P.*.*",
    ]);
  });

  it("headers are named so", () => {
    expect([PROOF_HEADER, SIGNATURE_HEADER, REMAINING_HEADER, TRACE_HEADER]).toEqual([
      "Af-Proof",
      "Af-Sig",
      "Af-Remaining",
      "traceparent",
    ]);
  });

  it("an ask is lost for one of these reasons", () => {
    expect(LOST_REASONS).toEqual([
      "no_target",
      "self_target",
      "not_serving",
      "timed_out",
      "cancelled",
      "parent_shut_down",
      "ask_too_large",
      "ask_malformed",
      "version_mismatch",
      "permission_refused",
      "bus_unreachable",
      "loop",
      "too_deep",
      "rid_conflict",
      "frozen",
      "audit_unavailable",
      "gate_error",
    ]);
  });

  it("a decision is in one of these states, by one of these ways of a person", () => {
    expect(DECISION_STATES).toEqual([
      "approved",
      "approved_for_session",
      "denied",
      "denied_with_reason",
    ]);
    expect(ANSWER_WAYS).toEqual(["dialog", "select", "terminal", "stdin", "inbox", "operator"]);
  });

  it("an operator wants one of these things, and is answered or refused for one of these reasons", () => {
    const subjects = createSubjects("af.v1.default");
    const answered = { operator: "O", session: "S", id: "I" };
    expect(controlAnswerSubject(subjects, answered)).toBe("af.v1.default.inbox.O.ctl.S.I");
    expect(CONTROL_OPS).toEqual(["list", "show", "answer", "grants", "revoke"]);
    expect(CONTROL_REFUSALS).toEqual([
      "malformed",
      "version_mismatch",
      "unknown_op",
      "switched_off",
      "not_an_operator",
      "id_conflict",
      "unknown_request",
      "stale_digest",
      "not_with_a_person",
      "child_gone",
      "ended",
      "unrecorded",
      "view_incomplete",
      "no_grant_suggested",
      "no_width",
      "unknown_grant",
      "failed",
    ]);
    expect([MAX_CONTROL_REQUEST_BYTES, MAX_CONTROL_ANSWER_BYTES, MAX_REASON_CHARACTERS]).toEqual([
      32_768, 262_144, 4_000,
    ]);
  });

  it("limits are these", () => {
    expect([MAX_ASK_BYTES, MAX_ASK_LIFE_MS, MAX_HOPS, MAX_FRAMES, MAX_TOKEN_LENGTH]).toEqual([
      262_144, 86_400_000, 8, 8, 96,
    ]);
  });
});

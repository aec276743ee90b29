import { describe, expect, it } from "vitest";
import { MAX_REASON_CHARACTERS } from "../../../src/ask/control.ts";
import { readServeInput } from "../../../src/cli/answer-line.ts";

const read = (value: unknown): ReturnType<typeof readServeInput> =>
  readServeInput(JSON.stringify(value));

describe("a line of a person", () => {
  it.each(["allow", "allow_for_session", "allow_for_serving_session", "deny"])(
    "may answer %s",
    (answer) => {
      expect(read({ requestId: "r", answer })).toEqual({ kind: "answer", requestId: "r", answer });
    },
  );

  it("carries the width of a grant", () => {
    expect(read({ requestId: "r", answer: "allow_for_session", width: "family" })).toMatchObject({
      width: "family",
    });
  });

  it("carries the reason unchanged", () => {
    const reason = "use the staging\tbranch \u202e";
    expect(read({ requestId: "r", answer: "deny", reason })).toMatchObject({ reason });
  });

  it("may ask for the complete view", () => {
    expect(read({ requestId: "r", show: "full" })).toEqual({ kind: "show", requestId: "r" });
  });

  it.each([
    ["no ask", { answer: "allow" }, "missing_request_id"],
    ["an ask that is a number", { requestId: 1, answer: "allow" }, "missing_request_id"],
    ["no answer", { requestId: "r" }, "missing_answer"],
    ["an unknown answer", { requestId: "r", answer: "yes" }, "unknown_answer"],
    ["an answer in capitals", { requestId: "r", answer: "ALLOW" }, "unknown_answer"],
    ["an answer that is true", { requestId: "r", answer: true }, "unknown_answer"],
    ["an unknown width", { requestId: "r", answer: "allow", width: "all" }, "malformed_width"],
    ["another view", { requestId: "r", show: "all" }, "unknown_view"],
    ["a reason that is a list", { requestId: "r", answer: "deny", reason: [] }, "malformed_reason"],
    [
      "an endless reason",
      { requestId: "r", answer: "deny", reason: "x".repeat(MAX_REASON_CHARACTERS + 1) },
      "malformed_reason",
    ],
    [
      "a confirmation that is not true",
      { requestId: "r", answer: "allow", incomplete: 1 },
      "malformed_incomplete",
    ],
    ["a misspelt field", { requestId: "r", answer: "deny", resaon: "no" }, "unknown_field"],
    ["an answer beside a view", { requestId: "r", show: "full", answer: "allow" }, "unknown_field"],
    [
      "half of a surrogate pair",
      { requestId: "r", answer: "deny", reason: "\ud800" },
      "malformed_text",
    ],
    ["no object", "allow", "not_an_object"],
  ])("is refused by name when it holds %s", (_name, line, code) => {
    expect(read(line)).toMatchObject({ kind: "fault", code });
  });

  it("is refused by name when it says two answers", () => {
    const text = '{"requestId":"r","answer":"deny","answer":"allow"}';
    expect(readServeInput(text)).toMatchObject({ kind: "fault", code: "repeated_key" });
  });

  it("is refused by name when it is not JSON", () => {
    expect(readServeInput("allow")).toMatchObject({ kind: "fault", code: "malformed_json" });
  });
});

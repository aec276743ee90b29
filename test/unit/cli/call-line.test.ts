import { describe, expect, it } from "vitest";
import { readCall, readChildInput } from "../../../src/cli/call-line.ts";

const CALL = { id: "a", toolName: "bash", input: { command: "ls" } };
const read = (value: unknown): ReturnType<typeof readChildInput> =>
  readChildInput(JSON.stringify(value), "/here");

describe("a line of child", () => {
  it("gives a call the program's working directory when it names none", () => {
    expect(read(CALL)).toEqual({
      kind: "call",
      id: "a",
      call: { toolName: "bash", input: { command: "ls" }, cwd: "/here", toolCallId: "a" },
    });
  });

  it.each([
    ["the line's id", { id: "mine-1" }, "mine-1"],
    ["the line's id as text when it is a number", { id: 7 }, "7"],
    ["the id that its host gave it, when both are there", { id: "a", toolCallId: "t1" }, "t1"],
  ])("has its call recorded under %s", (_, ids, toolCallId) => {
    expect(read({ ...CALL, ...ids })).toMatchObject({ call: { toolCallId } });
  });

  it("may be without an id where one call is given alone, and is refused for one that is none", () => {
    const { id: _, ...call } = CALL;
    expect(readCall(call, "/here")).toEqual({ call: { ...call, cwd: "/here" } });
    expect(readCall({ ...call, id: "mine" }, "/here")).toMatchObject({
      call: { toolCallId: "mine" },
    });
    expect(readCall({ ...call, id: null }, "/here")).toMatchObject({ code: "malformed_id" });
  });

  it("keeps every field a call may have", () => {
    const line = { ...CALL, id: 7, cwd: "/srv", toolCallId: "t1", timeoutMs: 5000 };
    expect(read(line)).toEqual({
      kind: "call",
      id: 7,
      timeoutMs: 5000,
      call: { toolName: "bash", input: { command: "ls" }, cwd: "/srv", toolCallId: "t1" },
    });
  });

  it("keeps server and tool of an MCP call apart", () => {
    const call = { toolName: "mcp", input: {}, cwd: "/here", mcp: { server: "db", tool: "drop" } };
    expect(read({ ...CALL, toolName: "mcp__db__drop", input: {} })).toMatchObject({ call });
    const named = { ...CALL, toolName: "x", input: {}, mcp: { server: "db", tool: "drop" } };
    expect(read(named)).toMatchObject({ call });
  });

  it("takes a skill without a tool", () => {
    expect(read({ id: "a", toolName: null, skill: "notes" })).toEqual({
      kind: "call",
      id: "a",
      call: { toolName: null, input: {}, cwd: "/here", skill: "notes", toolCallId: "a" },
    });
  });

  it("takes a cancel", () => {
    expect(read({ id: "a", cancel: true })).toEqual({ kind: "cancel", id: "a" });
  });

  it.each([
    ["a call without an id", { toolName: "bash", input: {} }, "missing_id"],
    ["an id that is an object", { ...CALL, id: {} }, "malformed_id"],
    ["an empty id", { ...CALL, id: "" }, "malformed_id"],
    ["a call without a tool", { id: "a", input: {} }, "malformed_tool_name"],
    ["a call of a tool and a skill", { ...CALL, skill: "notes" }, "malformed_tool_name"],
    ["an input that is text", { ...CALL, input: "ls" }, "malformed_input"],
    ["a call without an input", { id: "a", toolName: "bash" }, "malformed_input"],
    ["a relative cwd", { ...CALL, cwd: "src" }, "malformed_cwd"],
    ["an MCP pair without a tool", { ...CALL, mcp: { server: "db" } }, "malformed_mcp"],
    [
      "an MCP name of several readings",
      { ...CALL, toolName: "mcp__a__b__c" },
      "ambiguous_mcp_tool",
    ],
    ["a tool call id that is a number", { ...CALL, toolCallId: 1 }, "malformed_tool_call_id"],
    ["a life under a second", { ...CALL, timeoutMs: 999 }, "malformed_timeout"],
    ["a life over a day", { ...CALL, timeoutMs: 86_400_001 }, "malformed_timeout"],
    ["a misspelt field", { ...CALL, Cwd: "/srv" }, "unknown_field"],
    ["a cancel that is not true", { id: "a", cancel: 1 }, "malformed_cancel"],
    ["a cancel with a call", { ...CALL, cancel: true }, "unknown_field"],
    ["half of a surrogate pair", { ...CALL, input: { command: "\ud800" } }, "malformed_text"],
    ["half of a surrogate pair in a key", { ...CALL, input: { "\udfff": 1 } }, "malformed_text"],
    ["a list", [CALL], "not_an_object"],
  ])("is refused by name when it holds %s", (_name, line, code) => {
    expect(read(line)).toMatchObject({ kind: "fault", code });
  });

  it("is refused by name when it is not JSON", () => {
    expect(readChildInput('{"id":', "/here")).toMatchObject({
      kind: "fault",
      code: "malformed_json",
    });
  });

  it.each([
    '{"id":"a","id":"b","cancel":true}',
    '{"id":"a","toolName":"x","input":{"p":1,"\\u0070":2}}',
  ])("is refused by name when an object in it has a key twice: %s", (text) => {
    expect(readChildInput(text, "/here")).toMatchObject({ kind: "fault", code: "repeated_key" });
  });

  it("is refused by name when it nests without end", () => {
    const text = `{"id":"a","toolName":"x","input":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}`;
    expect(readChildInput(text, "/here")).toMatchObject({ kind: "fault", code: "nested_too_deep" });
  });

  it("names its id in a refusal when the id could be read", () => {
    expect(read({ ...CALL, cwd: "src" })).toMatchObject({ kind: "fault", id: "a" });
  });
});

import { describe, expect, it } from "vitest";
import {
  isPermissionRequest,
  readPermissionRequest,
} from "../../../src/clients/claude-code/permission-request.ts";

const HOOK = {
  session_id: "3b1c7d0e-6c0b-4f27-9d5e-0a53c1f0a001",
  transcript_path: "/home/ann/.claude/projects/app/3b1c7d0e.jsonl",
  cwd: "/srv/app",
  prompt_id: "5f6f0f0a-0000-4000-8000-000000000001",
  permission_mode: "default",
  effort: { level: "medium" },
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command: "git push origin main", description: "Push" },
  permission_suggestions: [{ type: "setMode", mode: "acceptEdits", destination: "session" }],
};

const FAULTS: Readonly<Record<string, string>> = {
  session_id: '"session_id" of the PermissionRequest input must be a text',
  tool_name: '"tool_name" of the PermissionRequest input must be a text',
  tool_input: '"tool_input" of the PermissionRequest input must be an object',
  cwd: '"cwd" of the PermissionRequest input must be an absolute path',
};

const callOf = (patch: object): unknown => {
  const read = readPermissionRequest({ ...HOOK, ...patch });
  return "call" in read ? read.call : read;
};

describe("the PermissionRequest hook of Claude Code", () => {
  it("becomes a call of the shell with its whole input", () => {
    expect(readPermissionRequest(HOOK)).toEqual({
      call: { toolName: "bash", input: HOOK.tool_input, cwd: "/srv/app" },
      sessionId: HOOK.session_id,
      agentName: null,
    });
  });

  it("names the subagent by its type", () => {
    const read = readPermissionRequest({ ...HOOK, agent_id: "a1", agent_type: "reviewer" });
    expect(read).toMatchObject({ agentName: "reviewer" });
  });

  it.each([
    ["Read", "read"],
    ["Write", "write"],
    ["Edit", "edit"],
    ["MultiEdit", "edit"],
    ["NotebookEdit", "edit"],
    ["Grep", "grep"],
    ["Glob", "find"],
    ["LS", "ls"],
    ["WebFetch", "web_fetch"],
    ["Skill", "skill"],
    ["Task", "agent"],
    ["TodoWrite", "TodoWrite"],
  ])("maps %s to the name that rules know and leaves its input alone", (tool_name, toolName) => {
    const tool_input = { file_path: "/srv/app/a.ts", path: "src", limit: 5 };
    expect(callOf({ tool_name, tool_input })).toEqual({
      toolName,
      input: tool_input,
      cwd: "/srv/app",
    });
  });

  it.each([
    ["mcp__atlas__find", {}, { server: "atlas", tool: "find" }],
    [
      "mcp__my__atlas__find",
      { mcp_server: { name: "my__atlas" } },
      { server: "my__atlas", tool: "find" },
    ],
    [
      "mcp__my_atlas__find",
      { mcp_server: { name: "my atlas", source: "user" } },
      { server: "my atlas", tool: "find" },
    ],
  ])("keeps server and tool of %s apart", (tool_name, told, mcp) => {
    const tool_input = { query: "x" };
    expect(callOf({ tool_name, tool_input, ...told })).toEqual({
      toolName: "mcp",
      input: tool_input,
      cwd: "/srv/app",
      mcp,
    });
  });

  it.each([
    ["mcp__a__b__c", {}],
    ["mcp__a___b", {}],
    ["mcp__a__", {}],
    ["mcp__a__b", { mcp_server: { name: "other" } }],
  ])("refuses to guess how %s splits", (tool_name, told) => {
    const read = callOf({ tool_name, tool_input: {}, ...told });
    expect(read).toMatchObject({ code: "ambiguous_mcp_tool" });
  });

  it.each([
    ["session_id", { session_id: undefined }],
    ["tool_name", { tool_name: "" }],
    ["tool_input", { tool_input: "ls" }],
    ["cwd", { cwd: "app" }],
  ])("names %s when it is malformed", (field, patch) => {
    const read = readPermissionRequest({ ...HOOK, ...patch });
    expect(read).toEqual({ code: "malformed_hook_input", text: FAULTS[field] });
  });

  it("is told apart from other hooks and from own calls", () => {
    expect([
      isPermissionRequest(HOOK),
      isPermissionRequest({ ...HOOK, hook_event_name: "PreToolUse" }),
      isPermissionRequest({ toolName: "bash", input: {} }),
    ]).toEqual([true, false, false]);
  });
});

import { isAbsolute } from "node:path";
import type { ToolCall } from "../../ask/tool-call.ts";
import { splitMcpName } from "../mcp-name.ts";

/** What Claude Code's `PermissionRequest` hook is told, as far as an ask needs it. */
export interface PermissionRequest {
  readonly call: ToolCall;
  /** The session that runs the tool, as Claude Code names it. A claim. */
  readonly sessionId: string;
  /** Type of the subagent; null on the main thread. A claim. */
  readonly agentName: string | null;
}

/** Why a hook's input is of no use. */
export interface PermissionRequestFault {
  readonly code: "malformed_hook_input" | "ambiguous_mcp_tool";
  readonly text: string;
}

type Input = Readonly<Record<string, unknown>>;

/** Says whether a parsed JSON object is the input of a `PermissionRequest` hook. */
export function isPermissionRequest(value: Input): boolean {
  return value["hook_event_name"] === "PermissionRequest";
}

/**
 * Reads the input of a `PermissionRequest` hook into a tool call in this product's words.
 * Unknown fields are ignored: newer versions add some. The hook names no id of the call. Never throws.
 */
export function readPermissionRequest(value: Input): PermissionRequest | PermissionRequestFault {
  const { session_id: sessionId, tool_name: toolName, tool_input: input, cwd } = value;
  if (!isText(sessionId)) return malformed("session_id", "a text");
  if (!isText(toolName)) return malformed("tool_name", "a text");
  if (!isObject(input)) return malformed("tool_input", "an object");
  if (!isText(cwd) || !isAbsolute(cwd)) return malformed("cwd", "an absolute path");
  const { agent_type: agentType, mcp_server: server } = value;
  const told = { input, cwd, server: isObject(server) ? server["name"] : undefined };
  const call = mcpCall(toolName, told) ?? { toolName: TOOLS.get(toolName) ?? toolName, input, cwd };
  if ("code" in call) return call;
  return { call, sessionId, agentName: isText(agentType) ? agentType : null };
}

/** Claude Code's tools under the names that rules know; their input stays as it is. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ["Bash", "bash"],
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
  ["Agent", "agent"],
]);

function mcpCall(
  toolName: string,
  told: { readonly input: Input; readonly cwd: string; readonly server: unknown },
): ToolCall | PermissionRequestFault | null {
  const { input, cwd, server } = told;
  const mcp = splitMcpName(toolName, isText(server) ? server : undefined);
  if (mcp === null) return null;
  if (mcp !== "ambiguous") return { toolName: "mcp", input, cwd, mcp };
  return {
    code: "ambiguous_mcp_tool",
    text: `"tool_name" ${JSON.stringify(toolName)} cannot be split into server and tool; send "mcp_server":{"name":"…"} with it`,
  };
}

function malformed(field: string, wanted: string): PermissionRequestFault {
  return {
    code: "malformed_hook_input",
    text: `"${field}" of the PermissionRequest input must be ${wanted}`,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function isObject(value: unknown): value is Input {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { ToolCall } from "../ask/tool-call.ts";
import { textIn } from "./input-text.ts";

/** What an MCP call is about. */
export interface McpCall {
  readonly value: string;
  /** Most specific first; empty when the call does not say what it calls. */
  readonly names: readonly string[];
  /** What a grant is suggested from, with one colon alone between server and tool; null when it says neither. */
  readonly grantOn: string | null;
}

const PROXY_TOOL = "mcp";

/** What the proxy tool does when it calls no tool, by the input field that says so. */
const INTROSPECTIONS = [
  ["connect", "mcp_connect"],
  ["describe", "mcp_describe"],
  ["search", "mcp_search"],
  ["server", "mcp_list"],
] as const;

/**
 * Reads an MCP call: server and tool as the host keeps them apart, or the input of a tool named `mcp` that
 * stands for all servers. Null for every other tool.
 */
export function mcpOf(call: ToolCall): McpCall | null {
  if (call.mcp !== undefined) return calling(call.mcp.server, call.mcp.tool);
  if (call.toolName !== PROXY_TOOL) return null;
  const { input } = call;
  if (Object.hasOwn(input, "tool")) {
    const server = textIn(input, "server");
    const tool = textIn(input, "tool");
    return server === null || tool === null
      ? { value: PROXY_TOOL, names: [], grantOn: null }
      : calling(server, tool);
  }
  const found = INTROSPECTIONS.find(([field]) => Object.hasOwn(input, field));
  const name = found?.[1] ?? "mcp_status";
  return { value: name, names: [name], grantOn: null };
}

function calling(server: string, tool: string): McpCall {
  const value = `${server}:${tool}`;
  const grantOn = `${server}:${tool.replaceAll(":", "_")}`;
  return { value, names: [value, `${server}_${tool}`, server], grantOn };
}

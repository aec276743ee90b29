/** What agent programs put before the name of an MCP tool, as in `mcp__server__tool`. */
const PREFIX = "mcp__";
const SEPARATOR = "__";

/** Server and tool of an MCP call, kept apart. */
export interface McpName {
  readonly server: string;
  readonly tool: string;
}

/**
 * Splits `mcp__server__tool`. Null when it is no such name, `ambiguous` when it can be read in several
 * ways: a server's name may hold the separator, so the name is only split where `server` settles it or
 * there is one way alone. Agent programs write `server` with `_` for what is no letter, digit, `_` or `-`.
 */
export function splitMcpName(toolName: string, server?: string): McpName | "ambiguous" | null {
  if (!toolName.startsWith(PREFIX)) return null;
  const rest = toolName.slice(PREFIX.length);
  if (server !== undefined) {
    const prefix = `${server.replaceAll(/[^A-Za-z0-9_-]/g, "_")}${SEPARATOR}`;
    if (!rest.startsWith(prefix) || rest === prefix) return "ambiguous";
    return { server, tool: rest.slice(prefix.length) };
  }
  const [only, tool, ...more] = rest.split(SEPARATOR);
  return only && tool && more.length === 0 && !rest.includes("___")
    ? { server: only, tool }
    : "ambiguous";
}

/** A tool call as an agent program is about to make it. */
export interface ToolCall {
  /** Name the agent called; null for a skill that the person's own input loads. */
  readonly toolName: string | null;
  /** The tool's input, JSON-safe. */
  readonly input: Readonly<Record<string, unknown>>;
  /** Absolute working directory of the machine that runs the tool. */
  readonly cwd: string;
  /** Server and tool of an MCP call, kept apart. */
  readonly mcp?: { readonly server: string; readonly tool: string };
  /** Name of the skill, with `toolName` null. */
  readonly skill?: string;
  /** The host's own id of the call. */
  readonly toolCallId?: string;
}

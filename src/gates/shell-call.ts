import type { ToolCall } from "../ask/tool-call.ts";
import { analyzeShell, type ShellAnalysis } from "../shell/analyze-shell.ts";
import type { GateContext } from "./context.ts";

/** A call of a shell. */
export interface ShellCall extends ShellAnalysis {
  /** Null when the input holds no command text. */
  readonly command: string | null;
  /** The name that was called when it is another name of the shell. */
  readonly invokedToolName: string | null;
}

const SHELL_TOOL = "bash";

/** Takes a shell call apart; null when the tool is not a shell. */
export function shellOf(call: ToolCall, context: GateContext): ShellCall | null {
  const { toolName, input, mcp } = call;
  if (toolName === null || mcp !== undefined) return null;
  const isAlias = context.shellTools?.includes(toolName) ?? false;
  if (toolName !== SHELL_TOOL && !isAlias) return null;
  const invokedToolName = toolName === SHELL_TOOL ? null : toolName;
  const command = Object.hasOwn(input, "command") ? input["command"] : undefined;
  if (typeof command !== "string") return { command: null, invokedToolName, units: [], paths: [] };
  return { command, invokedToolName, ...analyzeShell(command) };
}

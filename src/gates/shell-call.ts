import type { ToolCall } from "../ask/tool-call.ts";
import { analyzeShell, type ShellAnalysis } from "../shell/analyze-shell.ts";
import type { GateContext, ShellFields } from "./context.ts";
import { textIn } from "./input-text.ts";

/** A call of a shell. */
export interface ShellCall extends ShellAnalysis {
  /** Null when the input holds no command text. */
  readonly command: string | null;
  /** The name that was called when it is another name of the shell. */
  readonly invokedToolName: string | null;
  /** The folder it runs in, as its input names it; null: the call's own working directory. */
  readonly workdir: string | null;
}

const SHELL_TOOL = "bash";

const PLAIN: ShellFields = { commandArgument: "command" };

/** Takes a shell call apart; null when the tool is not a shell. */
export function shellOf(call: ToolCall, context: GateContext): ShellCall | null {
  const { toolName, input, mcp } = call;
  if (toolName === null || mcp !== undefined) return null;
  const fields = context.shellTools?.get(toolName) ?? (toolName === SHELL_TOOL ? PLAIN : null);
  if (fields === null) return null;
  const base = {
    invokedToolName: toolName === SHELL_TOOL ? null : toolName,
    workdir: fields.workdirArgument === undefined ? null : textIn(input, fields.workdirArgument),
  };
  const { commandArgument } = fields;
  const command = Object.hasOwn(input, commandArgument) ? input[commandArgument] : undefined;
  // Where it runs is as much part of a command as its words: without either, no rule may allow it.
  if (typeof command !== "string" || !namesFolder(input, fields)) {
    return { ...base, command: null, units: [], paths: [] };
  }
  return { ...base, command, ...analyzeShell(command) };
}

function namesFolder(input: ToolCall["input"], { workdirArgument: field }: ShellFields): boolean {
  if (field === undefined || !Object.hasOwn(input, field)) return true;
  return typeof input[field] === "string" || input[field] === null;
}

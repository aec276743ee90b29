import type { ToolCall } from "../ask/tool-call.ts";
import { analyzeShell, type ShellAnalysis } from "../shell/analyze-shell.ts";
import { loadShell } from "../shell/load-shell.ts";
import { needsGrammar } from "../shell/understand.ts";
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

/** Loads what a shell call's command needs to be taken apart; null when that is there, or not needed. */
export function prepareShell(
  call: ToolCall,
  context: Pick<GateContext, "shellTools">,
): Promise<void> | null {
  const fields = fieldsOf(call, context);
  const command = fields === null ? null : commandIn(call, fields);
  return command !== null && needsGrammar(command) ? loadShell() : null;
}

/** Takes a shell call apart; null when the tool is not a shell. */
export function shellOf(call: ToolCall, context: GateContext): ShellCall | null {
  const { toolName, input } = call;
  const fields = fieldsOf(call, context);
  if (fields === null) return null;
  const base = {
    invokedToolName: toolName === SHELL_TOOL ? null : toolName,
    workdir: fields.workdirArgument === undefined ? null : textIn(input, fields.workdirArgument),
  };
  const command = commandIn(call, fields);
  // Where it runs is as much part of a command as its words: without either, no rule may allow it.
  if (command === null || !namesFolder(input, fields)) {
    return { ...base, command: null, units: [], paths: [] };
  }
  return { ...base, command, ...analyzeShell(command) };
}

function fieldsOf(
  { toolName, mcp }: ToolCall,
  { shellTools }: Pick<GateContext, "shellTools">,
): ShellFields | null {
  if (toolName === null || mcp !== undefined) return null;
  return shellTools?.get(toolName) ?? (toolName === SHELL_TOOL ? PLAIN : null);
}

function commandIn({ input }: ToolCall, { commandArgument }: ShellFields): string | null {
  const command = Object.hasOwn(input, commandArgument) ? input[commandArgument] : undefined;
  return typeof command === "string" ? command : null;
}

function namesFolder(input: ToolCall["input"], { workdirArgument: field }: ShellFields): boolean {
  if (field === undefined || !Object.hasOwn(input, field)) return true;
  return typeof input[field] === "string" || input[field] === null;
}

import { isAbsolute } from "node:path";
import type { ToolCall } from "../ask/tool-call.ts";

/**
 * Takes a call in: each of its fields is read once, so that nothing which the caller changes later is judged
 * differently from what was shown.
 *
 * @throws TypeError when it is no tool call; the message names the field.
 */
export function takeCall(given: ToolCall): ToolCall {
  const fields: Fields = {
    toolName: given.toolName,
    input: given.input,
    cwd: given.cwd,
    mcp: given.mcp,
    skill: given.skill,
    toolCallId: given.toolCallId,
  };
  for (const [name, holds] of Object.entries(CHECKS)) {
    if (!holds(fields)) {
      throw new TypeError(`The tool call's ${name} is missing or of another type`);
    }
  }
  const { toolName, input, cwd, mcp, skill, toolCallId } = fields as unknown as ToolCall;
  return Object.freeze({
    toolName,
    input: copyOf(input),
    cwd,
    ...(mcp === undefined ? {} : { mcp: { server: mcp.server, tool: mcp.tool } }),
    ...(skill === undefined ? {} : { skill }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  });
}

type Fields = { readonly [K in keyof ToolCall]-?: unknown };

const isText = (value: unknown): value is string => typeof value === "string";

const CHECKS: { readonly [K in keyof ToolCall]-?: (fields: Fields) => boolean } = {
  toolName: ({ toolName, skill }) => isText(toolName) || (toolName === null && isText(skill)),
  input: ({ input }) => typeof input === "object" && input !== null && !Array.isArray(input),
  cwd: ({ cwd }) => isText(cwd) && isAbsolute(cwd),
  mcp: ({ mcp }) => mcp === undefined || isMcp(mcp),
  skill: ({ skill }) => skill === undefined || isText(skill),
  toolCallId: ({ toolCallId }) => toolCallId === undefined || isText(toolCallId),
};

/** JSON is what crosses the wire and what is digested: the copy is judged in that very form. */
function copyOf(input: object): ToolCall["input"] {
  return JSON.parse(JSON.stringify(input)) as ToolCall["input"];
}

function isMcp(value: unknown): value is { server: string; tool: string } {
  if (typeof value !== "object" || value === null) return false;
  const { server, tool } = value as { server?: unknown; tool?: unknown };
  return isText(server) && isText(tool);
}

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
    mcp: takeMcp(given.mcp),
    skill: given.skill,
    toolCallId: given.toolCallId,
  };
  for (const [name, holds] of CHECK_LIST) {
    if (!holds(fields)) {
      throw new TypeError(`The tool call's ${name} is missing or of another type`);
    }
  }
  const { toolName, input, cwd, mcp, skill, toolCallId } = fields as unknown as ToolCall;
  return Object.freeze({
    toolName,
    input: copyOf(input),
    cwd,
    ...(mcp === undefined ? {} : { mcp }),
    ...(skill === undefined ? {} : { skill }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  });
}

type Fields = { readonly [K in keyof ToolCall]-?: unknown };

/** Takes the two names of an MCP call out, each once; what is no such pair stays what it is, for the check. */
function takeMcp(given: unknown): unknown {
  if (typeof given !== "object" || given === null) return given;
  const { server, tool } = given as { server?: unknown; tool?: unknown };
  return Object.freeze({ server, tool });
}

const isText = (value: unknown): value is string => typeof value === "string";

const CHECKS: { readonly [K in keyof ToolCall]-?: (fields: Fields) => boolean } = {
  toolName: ({ toolName, skill }) => isText(toolName) || (toolName === null && isText(skill)),
  input: ({ input }) => isObject(input),
  cwd: ({ cwd }) => isText(cwd) && isAbsolute(cwd),
  mcp: ({ mcp }) => mcp === undefined || isMcp(mcp),
  skill: ({ skill }) => skill === undefined || isText(skill),
  toolCallId: ({ toolCallId }) => toolCallId === undefined || isText(toolCallId),
};

const CHECK_LIST = Object.entries(CHECKS);

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** JSON is what crosses the wire and what is digested: the copy is judged in that very form. */
function copyOf(input: object): ToolCall["input"] {
  const copy: unknown = flatCopyOf(input) ?? JSON.parse(JSON.stringify(input));
  // An object may say itself what it is as JSON, and that need not be an object.
  if (!isObject(copy)) throw new TypeError("The tool call's input is no object as JSON");
  return copy as ToolCall["input"];
}

/** The copy of an object of texts, numbers and flags, which JSON gives back as they are; null for all others. */
function flatCopyOf(input: object): ToolCall["input"] | null {
  if (Object.getPrototypeOf(input) !== Object.prototype || "toJSON" in input) return null;
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(input)) {
    const value: unknown = (input as Record<string, unknown>)[key];
    if (key === "__proto__" || !isPlain(value)) return null;
    copy[key] = value;
  }
  return copy;
}

function isPlain(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value === "string" || typeof value === "boolean" || value === null;
}

function isMcp(value: unknown): value is { server: string; tool: string } {
  if (typeof value !== "object" || value === null) return false;
  const { server, tool } = value as { server?: unknown; tool?: unknown };
  return isText(server) && isText(tool);
}

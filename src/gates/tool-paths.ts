import type { ToolCall } from "../ask/tool-call.ts";
import type { GateContext } from "./context.ts";
import { mcpOf } from "./mcp-call.ts";
import type { Direction, TypedPath } from "./path-facts.ts";

interface FileTool {
  readonly direction: Direction;
  /** Whether it works on the working directory when it is given no path. */
  readonly optional: boolean;
}

const FILE_TOOLS: ReadonlyMap<string, FileTool> = new Map([
  ["read", { direction: "read", optional: false }],
  ["write", { direction: "write", optional: false }],
  ["edit", { direction: "write", optional: false }],
  ["grep", { direction: "read", optional: true }],
  ["find", { direction: "read", optional: true }],
  ["ls", { direction: "read", optional: true }],
]);

const FIELDS = [
  "path",
  "paths",
  "file_path",
  "filePath",
  "file",
  "files",
  "notebook_path",
  "notebookPath",
  "absolute_path",
];

/** Says whether a tool is one of the file tools, whose rules are matched by path. */
export function isFileTool(name: string): boolean {
  return FILE_TOOLS.has(name);
}

/**
 * The paths of a call of any tool but the shell. Null: nothing is known about the paths of this tool;
 * an empty list from a file tool: its input names none in any field known here.
 */
export function pathsOfTool(call: ToolCall, context: GateContext): readonly TypedPath[] | null {
  const { toolName, input } = call;
  const mcp = mcpOf(call);
  const name = mcp?.value ?? toolName;
  if (name === null) return null;
  const configured = context.toolPaths?.get(name);
  const tool = mcp === null ? FILE_TOOLS.get(name) : undefined;
  if (tool !== undefined) return pathsOfFileTool(tool, input, configured ?? []);
  const extracted = extractedPaths(call, context);
  if (configured === undefined) return extracted;
  return [...typedPaths(input, configured, null), ...(extracted ?? [])];
}

/**
 * What the program that embeds this one knows of the call's paths.
 *
 * @throws TypeError when its extractor answers anything but paths or null.
 */
function extractedPaths(call: ToolCall, context: GateContext): readonly TypedPath[] | null {
  const extracted: unknown = context.extractPaths?.(call) ?? null;
  if (extracted === null) return null;
  if (!Array.isArray(extracted)) throw new TypeError("The path extractor answered no list");
  return (extracted as readonly unknown[]).map((one) => {
    const { path, direction = null } = Object(one) as { path?: unknown; direction?: unknown };
    if (typeof path !== "string" || path === "" || !isDirection(direction)) {
      throw new TypeError("The path extractor answered something that is no path");
    }
    return { typed: path, direction };
  });
}

function isDirection(value: unknown): value is Direction {
  return value === null || value === "read" || value === "write";
}

function pathsOfFileTool(
  tool: FileTool,
  input: ToolCall["input"],
  configured: readonly string[],
): readonly TypedPath[] {
  const paths = typedPaths(input, [...FIELDS, ...configured], tool.direction);
  const isHere = paths.length === 0 && tool.optional;
  return isHere ? [{ typed: ".", direction: tool.direction }] : paths;
}

function typedPaths(
  input: ToolCall["input"],
  fields: readonly string[],
  direction: Direction,
): readonly TypedPath[] {
  const typed = new Set(fields.flatMap((field) => textsIn(input, field)));
  return [...typed].map((text) => ({ typed: text, direction }));
}

function textsIn(input: ToolCall["input"], field: string): readonly string[] {
  if (!Object.hasOwn(input, field)) return [];
  const value = input[field];
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

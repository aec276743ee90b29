import { isAbsolute } from "node:path";
import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { type McpName, splitMcpName } from "../clients/mcp-name.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "./json-value.ts";
import type { CallId } from "./lines.ts";

/** A call ready to be decided. */
export interface ReadCall {
  readonly call: ToolCall;
  readonly timeoutMs?: number;
}

/** A line of input that is of no use, with as much of its id as could be read. */
export interface CallFault {
  readonly code: string;
  readonly text: string;
  readonly id?: CallId;
}

/** What a line on the standard input of `child` says. */
export type ChildInput =
  | ({ readonly kind: "call"; readonly id: CallId } & ReadCall)
  | { readonly kind: "cancel"; readonly id: CallId }
  | ({ readonly kind: "fault" } & CallFault);

/** Shortest life an ask may be given, in milliseconds. */
export const MIN_ASK_LIFE_MS = 1_000;

const CALL_KEYS = ["id", "toolName", "input", "cwd", "mcp", "skill", "toolCallId", "timeoutMs"];
/** Longest id of a call, in characters. */
export const MAX_ID_CHARACTERS = 256;

/** Reads one line of `child`. Never throws. */
export function readChildInput(text: string, cwd: string): ChildInput {
  const parsed = parseJsonObject(text);
  if ("code" in parsed) return { kind: "fault", ...parsed };
  const { value } = parsed;
  const id = readId(value["id"]);
  if (typeof id === "object") return { kind: "fault", ...id };
  if (Object.hasOwn(value, "cancel")) return readCancel(value, id);
  const call = readCall(value, cwd);
  return "code" in call ? { kind: "fault", ...call, id } : { kind: "call", id, ...call };
}

function readId(id: unknown): CallId | CallFault {
  if (id === undefined) {
    return { code: "missing_id", text: 'the line has no "id"; give each call one of your own' };
  }
  const usable =
    (typeof id === "string" && id !== "" && id.length <= MAX_ID_CHARACTERS) ||
    (typeof id === "number" && Number.isFinite(id));
  if (usable) return id;
  return {
    code: "malformed_id",
    text: `"id" is neither a number nor a text of 1 to ${MAX_ID_CHARACTERS} characters`,
  };
}

function readCancel(value: JsonObject, id: CallId): ChildInput {
  if (value["cancel"] !== true) {
    return { kind: "fault", code: "malformed_cancel", text: '"cancel" must be true', id };
  }
  const unknown = Object.keys(value).find((key) => key !== "id" && key !== "cancel");
  if (unknown !== undefined) return { kind: "fault", ...unknownKey(unknown), id };
  return { kind: "cancel", id };
}

/** Reads a call in this program's own shape; `cwd` stands in where the call names none. Never throws. */
export function readCall(value: JsonObject, cwd: string): ReadCall | CallFault {
  const fault = CHECKS.map((check) => check(value)).find((found) => found !== null);
  if (fault !== undefined) return fault;
  const { timeoutMs, ...checked } = value as CheckedCall;
  const mcp = checked.mcp ?? splitMcpName(checked.toolName ?? "");
  if (mcp === "ambiguous") return AMBIGUOUS;
  const call = { ...bare(checked, cwd), ...(mcp && { toolName: "mcp", mcp: pair(mcp) }) };
  return { call, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
}

function bare(checked: CheckedCall, cwd: string): ToolCall {
  const { skill } = checked;
  // The id under which whoever wrote the line knows the call, unless its host gave it one.
  const toolCallId = checked.toolCallId ?? checked.id?.toString();
  return {
    toolName: checked.toolName ?? null,
    input: checked.input ?? {},
    cwd: checked.cwd ?? cwd,
    ...(skill === undefined ? {} : { skill }),
    ...(toolCallId === undefined ? {} : { toolCallId }),
  };
}

function pair({ server, tool }: McpName): McpName {
  return { server, tool };
}

interface CheckedCall {
  readonly id?: CallId;
  readonly toolName?: string | null;
  readonly input?: JsonObject;
  readonly cwd?: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly skill?: string;
  readonly toolCallId?: string;
  readonly timeoutMs?: number;
}

const AMBIGUOUS: CallFault = {
  code: "ambiguous_mcp_tool",
  text: 'the tool\'s name cannot be split into server and tool; add "mcp":{"server":"…","tool":"…"}',
};

const CHECKS: readonly ((value: JsonObject) => CallFault | null)[] = [
  ({ id }) => {
    const read = id === undefined ? null : readId(id);
    return typeof read === "object" ? read : null;
  },
  (value) => {
    const unknown = Object.keys(value).find((key) => !CALL_KEYS.includes(key));
    return unknown === undefined ? null : unknownKey(unknown);
  },
  ({ toolName, skill }) => {
    if (isText(toolName) && skill === undefined) return null;
    if ((toolName === null || toolName === undefined) && isText(skill)) return null;
    return {
      code: "malformed_tool_name",
      text: 'name either a tool, {"toolName":"bash",…}, or a skill, {"toolName":null,"skill":"…",…}',
    };
  },
  ({ input, skill }) =>
    isJsonObject(input) || (input === undefined && skill !== undefined)
      ? null
      : { code: "malformed_input", text: '"input" must be the tool\'s input as an object' },
  ({ cwd }) =>
    cwd === undefined || (isText(cwd) && isAbsolute(cwd))
      ? null
      : { code: "malformed_cwd", text: '"cwd" must be an absolute path' },
  ({ mcp }) =>
    mcp === undefined || (isJsonObject(mcp) && isText(mcp["server"]) && isText(mcp["tool"]))
      ? null
      : { code: "malformed_mcp", text: '"mcp" must be {"server":"…","tool":"…"}' },
  ({ toolCallId }) =>
    toolCallId === undefined || isText(toolCallId)
      ? null
      : { code: "malformed_tool_call_id", text: '"toolCallId" must be a text' },
  ({ timeoutMs }) =>
    timeoutMs === undefined || isAskLife(timeoutMs)
      ? null
      : {
          code: "malformed_timeout",
          text: `"timeoutMs" must be a whole number from ${MIN_ASK_LIFE_MS} to ${MAX_ASK_LIFE_MS}`,
        },
];

/** Says whether a value is a life an ask may have, in milliseconds. */
export function isAskLife(value: unknown): value is number {
  return (
    typeof value === "number" &&
    Number.isInteger(value) &&
    value >= MIN_ASK_LIFE_MS &&
    value <= MAX_ASK_LIFE_MS
  );
}

function unknownKey(key: string): CallFault {
  return {
    code: "unknown_field",
    text: `the field ${JSON.stringify(key)} is not known here; take it out or correct its spelling`,
  };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

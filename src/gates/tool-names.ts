import type { ToolCall } from "../ask/tool-call.ts";
import { textIn } from "./input-text.ts";

/**
 * The names a call of a tool without a surface of its own is known by, most specific first, the tool's own
 * name last: where it fetches from, which host it reaches, which agent it starts.
 */
export function namesOf(toolName: string, input: ToolCall["input"]): readonly string[] {
  const subject = SUBJECTS.get(toolName)?.(input) ?? [];
  return [...subject, toolName];
}

type Subject = (input: ToolCall["input"]) => readonly string[];

const SUBJECTS: ReadonlyMap<string, Subject> = new Map<string, Subject>([
  ["web_fetch", fetched],
  ["network", reached],
  ["agent", started],
]);

function fetched(input: ToolCall["input"]): readonly string[] {
  const url = textIn(input, "url");
  if (url === null) return [];
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return host === "" ? [url] : [url, `domain:${host}`];
}

function reached(input: ToolCall["input"]): readonly string[] {
  const host = textIn(input, "host");
  const protocol = textIn(input, "protocol");
  if (host === null) return [];
  return protocol === null ? [host] : [`${protocol}://${host}`, host];
}

function started(input: ToolCall["input"]): readonly string[] {
  const type = textIn(input, "subagent_type") ?? textIn(input, "type") ?? textIn(input, "agent");
  return type === null ? [] : [type];
}

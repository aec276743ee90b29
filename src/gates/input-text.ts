import type { ToolCall } from "../ask/tool-call.ts";

/** An own field of a call's input when it is a text that says something, else null. */
export function textIn(input: ToolCall["input"], field: string): string | null {
  const value = Object.hasOwn(input, field) ? input[field] : undefined;
  return typeof value === "string" && value !== "" ? value : null;
}

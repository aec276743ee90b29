import { repeatsKey } from "../ask/repeated-key.ts";

/** A JSON object as it was parsed: own keys only, values not looked at yet. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Why a text is no usable JSON object. */
export interface JsonFault {
  readonly code:
    | "malformed_json"
    | "not_an_object"
    | "malformed_text"
    | "nested_too_deep"
    | "repeated_key";
  readonly text: string;
}

/** Deepest nesting a line may have. */
const MAX_DEPTH = 128;

/**
 * Parses a text that must hold one JSON object of well-formed Unicode. Never throws.
 *
 * @param what - What a fault calls the text.
 */
export function parseJsonObject(
  text: string,
  what = "the line",
): { readonly value: JsonObject } | JsonFault {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "unreadable";
    return {
      code: "malformed_json",
      text: `${what} is not JSON (${why}); write one object, {…}`,
    };
  }
  if (!isJsonObject(value)) {
    return { code: "not_an_object", text: `${what} is JSON but no object; write {…}` };
  }
  return faultWithin(value, what) ?? (repeatsKey(text) ? repeated(what) : { value });
}

/** Says whether a parsed value is an object, neither list nor null. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function faultWithin(root: JsonObject, what: string): JsonFault | null {
  const stack: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  for (let item = stack.pop(); item !== undefined; item = stack.pop()) {
    const { value, depth } = item;
    if (typeof value === "string" && !value.isWellFormed()) return malformedText(what);
    if (typeof value !== "object" || value === null) continue;
    if (depth > MAX_DEPTH) {
      return { code: "nested_too_deep", text: `${what} nests deeper than ${MAX_DEPTH} levels` };
    }
    for (const [key, inner] of Object.entries(value)) {
      if (!key.isWellFormed()) return malformedText(what);
      stack.push({ value: inner, depth: depth + 1 });
    }
  }
  return null;
}

function repeated(what: string): JsonFault {
  return {
    code: "repeated_key",
    text: `an object in ${what} has a key twice, and which one counts is not said; send each once`,
  };
}

function malformedText(what: string): JsonFault {
  return {
    code: "malformed_text",
    text: `a text of ${what} holds half of a surrogate pair; send well-formed Unicode`,
  };
}

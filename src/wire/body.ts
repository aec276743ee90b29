import { repeatsKey } from "../ask/repeated-key.ts";

/** Longest body of any message, in bytes: what servers of a fleet take at most. Nothing longer is read. */
export const MAX_BODY_BYTES = 512 * 1024;

const MAX_DEPTH = 32;

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A JSON object of which only own properties can be read. */
export type OwnObject = Readonly<Record<string, unknown>>;

/** Bytes as text; null when they are not UTF-8. A byte order mark stays. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Reads a body; undefined when it is not JSON in well-formed UTF-8 or longer than {@link MAX_BODY_BYTES}.
 * Never throws.
 */
export function readJson(body: Uint8Array | string): unknown {
  // Nested brackets take a reader far longer than their number suggests.
  if (body.length > MAX_BODY_BYTES) return undefined;
  const text = typeof body === "string" ? wellFormed(body) : decodeText(body);
  if (text === null) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** {@link readJson} for what somebody wants done; undefined also when an object in it has a key twice. */
export function readJsonOnce(body: Uint8Array): unknown {
  const text = body.length > MAX_BODY_BYTES ? null : decodeText(body);
  const value = text === null ? undefined : readJson(text);
  return text === null || value === undefined || repeatsKey(text) ? undefined : value;
}

/** What was decoded from UTF-8 is well-formed by that alone. */
function wellFormed(text: string): string | null {
  return text.isWellFormed() ? text : null;
}

/**
 * Gives a JSON value of which nothing but own properties can be read: a key such as `__proto__` is a name like
 * any other. What lies deeper than any message goes is cut, so that no reader can run out of stack. What JSON
 * text decodes to is nearly always so already and then comes back as it is.
 */
export function ownData(value: unknown): unknown {
  return isPrototypeClean() && isPlain(value, 0) ? value : copied(value, 0);
}

/** Says whether what an object of this process does not have itself is absent, whatever its name. */
export function isPrototypeClean(): boolean {
  for (const _ in Object.prototype) return false;
  return true;
}

function isPlain(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth === MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, depth + 1));
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  for (const key in value) if (!isPlain((value as OwnObject)[key], depth + 1)) return false;
  return true;
}

function copied(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => copied(item, depth + 1));
  const items = Object.entries(value).map(([key, item]) => [key, copied(item, depth + 1)] as const);
  return withoutPrototype(Object.fromEntries(items));
}

/** The object's own properties on an object that inherits nothing. */
export function withoutPrototype(fields: OwnObject): OwnObject {
  return Object.setPrototypeOf({ ...fields }, null) as OwnObject;
}

/** The value as an object with own properties only; null when it is none. */
export function ownObject(value: unknown): OwnObject | null {
  const copy = ownData(value);
  return typeof copy === "object" && copy !== null && !Array.isArray(copy)
    ? (copy as OwnObject)
    : null;
}

/** Says whether a body is of this revision: no `v`, or the number 1. */
export function isThisRevision(body: OwnObject): boolean {
  return !Object.hasOwn(body, "v") || body["v"] === 1;
}

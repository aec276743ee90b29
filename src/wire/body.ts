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

/** Reads a body; undefined when it is not JSON in well-formed UTF-8. Never throws. */
export function readJson(body: Uint8Array | string): unknown {
  const text = typeof body === "string" ? body : decodeText(body);
  if (text?.isWellFormed() !== true) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Copies a JSON value so that nothing but own properties can be read from it: a key such as `__proto__` is a
 * name like any other. What lies deeper than any message goes is cut, so that no reader can run out of stack.
 */
export function ownData(value: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return value.map((item) => ownData(item, depth + 1));
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [key, item] of Object.entries(value)) copy[key] = ownData(item, depth + 1);
  return copy;
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

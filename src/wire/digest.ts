import { hash } from "node:crypto";
import canonicalize from "canonicalize";

/** Base64url SHA-256 of the bytes, or of a text's UTF-8 form; 43 characters, no padding. */
export function bytesDigest(data: Uint8Array | string): string {
  return hash("sha256", data, "base64url");
}

/** A JSON value in its RFC 8785 form with the digest of that form. */
export interface CanonicalDigest {
  readonly canonical: string;
  readonly digest: string;
}

/**
 * Digests a JSON value by its RFC 8785 form: keys in UTF-16 order, no blanks, shortest numbers, text as it is.
 *
 * @throws TypeError when the value has no such form: a lone surrogate, a number that is not finite, a cycle,
 * or no JSON value at all.
 */
export function canonicalDigest(value: unknown): CanonicalDigest {
  const canonical = canonicalForm(value);
  return { canonical, digest: bytesDigest(canonical) };
}

/** How deep {@link plainForm} goes: deeper than the input of nearly every tool. */
const PLAIN_DEPTH = 4;

/** The form of texts, numbers, flags and objects of them; null for everything that needs a closer look. */
function plainForm(value: unknown, depth = 0): string | null {
  if (typeof value === "string") return value.isWellFormed() ? JSON.stringify(value) : null;
  if (typeof value === "number") return Number.isFinite(value) ? JSON.stringify(value) : null;
  if (typeof value === "boolean" || value === null) return String(value);
  return isPlainObject(value) && depth < PLAIN_DEPTH ? plainFields(value, depth) : null;
}

function plainFields(value: Readonly<Record<string, unknown>>, depth: number): string | null {
  let form = "";
  for (const key of Object.keys(value).toSorted()) {
    const name = plainForm(key);
    const item = plainForm(value[key], depth + 1);
    if (name === null || item === null) return null;
    form += `${form === "" ? "" : ","}${name}:${item}`;
  }
  return `{${form}}`;
}

/** An object as JSON text decodes to, and as it is written by nothing but its own fields. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false;
  return Object.getPrototypeOf(value) === Object.prototype && !("toJSON" in value);
}

function canonicalForm(value: unknown): string {
  try {
    const form = plainForm(value) ?? canonicalize(value);
    if (form !== undefined) return form;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The value has no canonical JSON form: ${why}`, { cause: error });
  }
  throw new TypeError("The value has no canonical JSON form: it is not a JSON value");
}

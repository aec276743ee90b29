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

function canonicalForm(value: unknown): string {
  try {
    const form = canonicalize(value);
    if (form !== undefined) return form;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TypeError(`The value has no canonical JSON form: ${why}`, { cause: error });
  }
  throw new TypeError("The value has no canonical JSON form: it is not a JSON value");
}

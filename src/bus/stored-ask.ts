import type { Ask } from "../ask/ask.ts";
import { parseAsk } from "../wire/ask.ts";
import { readJson } from "../wire/body.ts";
import { bytesDigest } from "../wire/digest.ts";
import { isNonceOf, readStoredAsk, type StoredAsk } from "../wire/stored-ask.ts";
import { encodeToken } from "../wire/token.ts";
import type { SealedAsk } from "./lines.ts";

/** A journalled ask as its parent left it. */
export interface StoredRow {
  /** The serving session's own id. */
  readonly parent: string;
  readonly childToken: string;
  /** The body as text with its nonce emptied. */
  readonly ask: string;
  readonly askDigest: string;
}

/** Reads a journalled ask without its secret, to list it; null when the text is no ask. Frozen; never throws. */
export function openStoredAsk({ parent, childToken, ask }: StoredRow): StoredAsk | null {
  return readStoredAsk({ parent: encodeToken(parent), child: childToken }, ask);
}

/**
 * Takes a journalled ask up again with the nonce of its child's repeat. Null unless the row with this nonce is,
 * to the byte, the ask whose digest the row names. Frozen; never throws.
 */
export function takeUpStoredAsk(row: StoredRow, nonce: string): Ask | null {
  const stored = openStoredAsk(row);
  if (stored === null || !isNonceOf(row.ask, row.askDigest, nonce)) return null;
  return Object.freeze({ ...stored, nonce });
}

/**
 * Takes up the bytes of an ask that an earlier process of `session` put to `parent`; null when they are no such ask.
 * Frozen; never throws.
 */
export function openSealedAsk(
  { session, parent }: { readonly session: string; readonly parent: string },
  body: Uint8Array,
): SealedAsk | null {
  const subject = { parent: encodeToken(parent), child: encodeToken(session) };
  const parsed = parseAsk(subject, readJson(body));
  if (!parsed.ok) return null;
  return Object.freeze({ ask: parsed.ask, body, askDigest: bytesDigest(body) });
}

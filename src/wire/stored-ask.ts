import type { Ask } from "../ask/ask.ts";
import { type AskSubject, parseAsk } from "./ask.ts";
import { readJson } from "./body.ts";
import { bytesDigest } from "./digest.ts";
import { decodeNonce, NONCE_BYTES } from "./proof.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const BRACE = 0x7b;
const BRACE_END = 0x7d;
const BRACKET = 0x5b;
const BRACKET_END = 0x5d;

/** An ask as it is read from a journal: everything but its secret. */
export type StoredAsk = Omit<Ask, "nonce">;

/**
 * The body of an ask with the value of its nonce emptied and every other character as it was. Only the member
 * of the body itself counts, however its name is escaped, and each of several; the same text elsewhere stays.
 * Takes the text of a JSON object.
 */
export function withoutNonce(body: string): string {
  return replaceNonce(body, '""');
}

/** Reads an ask from its stored form for the subject it came on; null when it is none. Frozen; never throws. */
export function readStoredAsk(subject: AskSubject, stored: string): StoredAsk | null {
  const stand = Buffer.alloc(NONCE_BYTES).toString("base64url");
  const parsed = parseAsk(subject, readJson(fillNonce(stored, stand)));
  if (!parsed.ok) return null;
  const { nonce: _, ...ask } = parsed.ask;
  return Object.freeze(ask);
}

/**
 * Says whether a stored ask with this nonce is, to the byte, the body that has this digest: the way a parent
 * that lost the nonce checks the one it is shown. Never throws.
 */
export function isNonceOf(stored: string, askDigest: string, nonce: string): boolean {
  return decodeNonce(nonce) !== null && bytesDigest(fillNonce(stored, nonce)) === askDigest;
}

function fillNonce(stored: string, nonce: string): string {
  return replaceNonce(stored, `"${nonce}"`);
}

function replaceNonce(body: string, value: string): string {
  let result = "";
  let kept = 0;
  for (const { start, end } of nonceValues(body)) {
    result += body.slice(kept, start) + value;
    kept = end;
  }
  return result + body.slice(kept);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function nonceValues(body: string): Span[] {
  const spans: Span[] = [];
  let depth = 0;
  let key = "";
  let named = false;
  for (let at = 0; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code === QUOTE) {
      const start = at;
      const end = stringEnd(body, start);
      if (named) spans.push({ start, end });
      if (depth === 1) key = body.slice(start, end);
      at = end - 1;
    } else if (code === COLON) named = depth === 1 && isNonceKey(key);
    else if (code === BRACE || code === BRACKET) {
      depth += 1;
      named = false;
    } else if (code === BRACE_END || code === BRACKET_END) depth -= 1;
    else if (code === COMMA) named = false;
  }
  return spans;
}

function isNonceKey(key: string): boolean {
  return key === '"nonce"' || (key.includes("\\") && readJson(key) === "nonce");
}

function stringEnd(body: string, start: number): number {
  let at = start + 1;
  while (at < body.length && body.charCodeAt(at) !== QUOTE) {
    at += body.charCodeAt(at) === BACKSLASH ? 2 : 1;
  }
  return at + 1;
}

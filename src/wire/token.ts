import { createHash } from "node:crypto";

/** Longest token, in characters; a longer name is carried as its digest. */
export const MAX_TOKEN_LENGTH = 96;

const PLAIN = /^[A-Za-z0-9_-]{1,96}$/;
const TOKEN = /^(?:=|=h[A-Za-z0-9_-]{43}|(?:[A-Za-z0-9_-]|=[0-9A-F]{2}){1,96})$/;

/**
 * Writes a name as one token of a subject: `[A-Za-z0-9_-]` stay, every other UTF-8 byte is `=HH` in upper-case
 * hex, the empty name is `=`, and what would be longer than {@link MAX_TOKEN_LENGTH} is `=h` and the base64url
 * SHA-256 of the name's UTF-8 bytes. Different names give different tokens.
 *
 * @throws TypeError when the name holds a lone surrogate: it has no UTF-8 form.
 */
export function encodeToken(name: string): string {
  if (PLAIN.test(name)) return name;
  if (!name.isWellFormed()) {
    throw new TypeError("A name with half a surrogate pair cannot stand in a subject; remove it");
  }
  if (name === "") return "=";
  const bytes = Buffer.from(name, "utf8");
  const token = bytes.length > MAX_TOKEN_LENGTH ? null : escapeBytes(bytes);
  if (token !== null && token.length <= MAX_TOKEN_LENGTH) return token;
  return `=h${createHash("sha256").update(bytes).digest("base64url")}`;
}

/** Says whether `text` has the form that {@link encodeToken} writes. Never throws. */
export function isToken(text: string): boolean {
  return PLAIN.test(text) || isEscaped(text);
}

function isEscaped(text: string): boolean {
  return text.length <= MAX_TOKEN_LENGTH && TOKEN.test(text);
}

function escapeBytes(bytes: Uint8Array): string {
  let token = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    token += PLAIN.test(character)
      ? character
      : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return token;
}

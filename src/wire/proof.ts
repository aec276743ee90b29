import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** Bytes of a nonce. */
export const NONCE_BYTES = 32;

/**
 * The one spelling of a nonce in base64url: the last character carries four bits of the 32nd byte and two that
 * are zero.
 */
export const NONCE_FORM = /^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/;
const PROOF_LENGTH = 43;
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
/** Body of a message that is proven without memory of its own. */
const USUAL_BYTES = 8 * 1024;

/** Random bytes for many nonces: one call of the system each costs more than all the rest of minting. */
const POOL_BYTES = 64 * NONCE_BYTES;
let pool = Buffer.alloc(0);
let taken = 0;

/** Mints the secret of one ask: 32 random bytes in base64url. */
export function mintNonce(): string {
  if (taken === pool.length) {
    pool = randomBytes(POOL_BYTES);
    taken = 0;
  }
  const end = taken + NONCE_BYTES;
  const nonce = pool.toString("base64url", taken, end);
  // What was handed out stays nowhere but with its ask.
  pool.fill(0, taken, end);
  taken = end;
  return nonce;
}

/** The 32 bytes a nonce stands for; null for every other text and for other spellings of the same bytes. */
export function decodeNonce(nonce: string): Uint8Array | null {
  return NONCE_FORM.test(nonce) ? Buffer.from(nonce, "base64url") : null;
}

/** What a proof is about: the exact subject and the exact body of one message. */
export interface ProvenBytes {
  readonly subject: string;
  readonly body: Uint8Array;
}

/**
 * Proves that the sender saw the ask with this nonce: HMAC-SHA256 over the subject's UTF-8 form, one zero byte
 * and the raw body, in base64url; 43 characters.
 *
 * @throws TypeError when the nonce is none; the text does not repeat it.
 */
export function proofOf(nonce: string, message: ProvenBytes): string {
  const key = decodeNonce(nonce);
  if (key === null) throw new TypeError("The nonce is not 32 bytes in base64url");
  return hmac(key, message);
}

/**
 * Says whether `proof` belongs to this message and nonce, in constant time. False, never an error, for whatever
 * is not text, has another length or comes with a nonce that is none.
 */
export function proofMatches(nonce: string, message: ProvenBytes, proof: unknown): boolean {
  const key = decodeNonce(nonce);
  if (key === null || typeof proof !== "string") return false;
  const given = Buffer.from(proof, "utf8");
  if (given.length !== PROOF_LENGTH) return false;
  return timingSafeEqual(given, Buffer.from(hmac(key, message), "utf8"));
}

// RFC 2104 from two one-shot hashes: an HMAC object costs several times as much for bodies of this size.
function hmac(key: Uint8Array, { subject, body }: ProvenBytes): string {
  const size = BLOCK_BYTES + Buffer.byteLength(subject, "utf8") + 1 + body.length;
  const inner = size > scratch.length ? Buffer.allocUnsafe(size) : scratch.subarray(0, size);
  for (let i = 0; i < BLOCK_BYTES; i += 1) {
    const byte = key[i] ?? 0;
    inner[i] = byte ^ 0x36;
    outer[i] = byte ^ 0x5c;
  }
  inner.write(subject, BLOCK_BYTES, "utf8");
  inner[size - body.length - 1] = 0;
  inner.set(body, size - body.length);
  outer.write(hash("sha256", inner, "hex"), BLOCK_BYTES, "hex");
  const proof = hash("sha256", outer, "base64url");
  // Whoever has the key of one message has it for all about its ask.
  inner.fill(0, 0, BLOCK_BYTES);
  outer.fill(0, 0, BLOCK_BYTES);
  return proof;
}

/** Pieces of memory that serve one proof after the other. */
const scratch = Buffer.allocUnsafeSlow(USUAL_BYTES);
const outer = Buffer.allocUnsafeSlow(BLOCK_BYTES + DIGEST_BYTES);

import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  verify,
} from "node:crypto";

/** What a key of NATS stands for: the type is part of its text. */
export type NkeyKind = "operator" | "account" | "server" | "user";

/** A key that signs. Its seed stands in no property that is printed. */
export interface SigningKey {
  readonly kind: NkeyKind;
  /** 56 characters that begin with `O`, `A`, `N` or `U`. */
  readonly publicKey: string;
  /** Ed25519, 64 bytes. */
  sign(data: Uint8Array): Uint8Array;
}

const PREFIX: Readonly<Record<NkeyKind, number>> = {
  operator: 14 << 3,
  account: 0,
  server: 13 << 3,
  user: 20 << 3,
};
const SEED_PREFIX = 18 << 3;
const KEY_BYTES = 32;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const PKCS8_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** Mints the seed of a new key: 58 characters that begin with `S`. */
export function mintSeed(kind: NkeyKind): string {
  const type = PREFIX[kind];
  const head = Buffer.from([SEED_PREFIX | (type >> 5), (type & 31) << 3]);
  return encode(Buffer.concat([head, randomBytes(KEY_BYTES)]));
}

/** Mints a key and its seed. */
export function mintKey(kind: NkeyKind): { readonly seed: string; readonly key: SigningKey } {
  const seed = mintSeed(kind);
  const key = readSeed(seed);
  if (key === null) throw new Error("a seed that was minted is one");
  return { seed, key };
}

/** Reads a seed; null for any text that is none, a key that is only public among them. */
export function readSeed(seed: string): SigningKey | null {
  const bytes = decode(seed.trim());
  if (bytes?.length !== KEY_BYTES + 2) return null;
  const [first = 0, second = 0] = bytes;
  if ((first & 0xf8) !== SEED_PREFIX) return null;
  const kind = kindOf(((first & 7) << 5) | (second >> 3));
  if (kind === null) return null;
  const der = Buffer.concat([PKCS8_HEAD, bytes.subarray(2)]);
  const key = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  der.fill(0);
  const publicKey = encode(Buffer.concat([Buffer.from([PREFIX[kind]]), rawOf(key)]));
  return { kind, publicKey, sign: (data) => sign(null, data, key) };
}

/** The kind of a public key; null for any text that is none. */
export function kindOfPublicKey(text: string): NkeyKind | null {
  const bytes = decode(text);
  return bytes?.length === KEY_BYTES + 1 ? kindOf(bytes[0] ?? 0) : null;
}

/** Says whether `signature` is that of the public key over these bytes. False for a key that is none. */
export function signatureMatches(
  publicKey: string,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  const key = verifierOf(publicKey);
  return key !== null && signatureMatchesKey(key, data, signature);
}

/** As {@link signatureMatches}, for a key that was read before. */
export const signatureMatchesKey = (
  key: KeyObject,
  data: Uint8Array,
  signature: Uint8Array,
): boolean => signature.length === 64 && verify(null, data, key, signature);

/** Reads a public key to check with; null for any text that is none. */
export function verifierOf(publicKey: string): KeyObject | null {
  if (kindOfPublicKey(publicKey) === null) return null;
  const raw = decode(publicKey)?.subarray(1) ?? Buffer.alloc(0);
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, raw]), format: "der", type: "spki" });
}

const rawOf = (key: KeyObject): Uint8Array =>
  createPublicKey(key).export({ format: "der", type: "spki" }).subarray(SPKI_HEAD.length);

function kindOf(type: number): NkeyKind | null {
  const found = Object.entries(PREFIX).find(([, prefix]) => prefix === type);
  return (found?.[0] as NkeyKind | undefined) ?? null;
}

/** Base 32 without padding of the bytes and their checksum. */
function encode(bytes: Uint8Array): string {
  const sum = checksum(bytes);
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of [...bytes, sum & 0xff, sum >> 8]) {
    held = ((held << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += ALPHABET.charAt((held >> (bits - 5)) & 31);
  }
  return bits === 0 ? text : text + ALPHABET.charAt((held << (5 - bits)) & 31);
}

/** The bytes of a text whose checksum is right and that has no other spelling; else null. */
function decode(text: string): Buffer | null {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of text) {
    const five = ALPHABET.indexOf(character);
    if (five < 0 || text.length > 128) return null;
    held = ((held << 5) | five) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((held >> bits) & 0xff);
  }
  const high = bytes.pop() ?? 0;
  const low = bytes.pop() ?? 0;
  const content = Buffer.from(bytes);
  return checksum(content) === ((high << 8) | low) && encode(content) === text ? content : null;
}

/** CRC-16 of XMODEM. */
function checksum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) {
      sum = (sum & 0x8000) === 0 ? (sum << 1) & 0xffff : ((sum << 1) ^ 0x1021) & 0xffff;
    }
  }
  return sum;
}

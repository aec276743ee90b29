/** What stands in a record for a secret. */
export const REDACTED = "[redacted]";

const WORDS =
  "authorization|api[-_ .]?keys?|secret|token|password|passwd|credential|cookie|private[-_ .]?key";

const SENSITIVE = new RegExp(WORDS, "iu");

const NEVER_RECORDED = /nonce|proof|signature|^(?:af[-_]?)?sig$/iu;

/** Makes an expression that finds the sensitive words themselves in a longer text, one after the other. */
export function sensitiveWords(): RegExp {
  return new RegExp(WORDS, "gi");
}

const MOST_KNOWN = 2_000;
const known = new Map<string, boolean>();

/** Says whether what stands under `key` is a secret, whatever its type. */
export function isSensitiveKey(key: string): boolean {
  const before = known.get(key);
  if (before !== undefined) return before;
  const sensitive = SENSITIVE.test(key) || NEVER_RECORDED.test(key);
  // Records have few keys; a body that makes up its own must not fill the memory.
  if (known.size < MOST_KNOWN && key.length < 100) known.set(key, sensitive);
  return sensitive;
}

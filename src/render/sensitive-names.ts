/** What stands in a record for a secret. */
export const REDACTED = "[redacted]";

const WORDS =
  "authorization|api[-_ .]?keys?|secret|token|password|passwd|credential|cookie|private[-_ .]?key";

const SENSITIVE = new RegExp(WORDS, "iu");

const NEVER_RECORDED = /nonce|proof|signature|^(?:af[-_]?)?sig$/iu;

/** Finds the sensitive words themselves in a longer text. */
export function sensitiveWords(): RegExp {
  return new RegExp(WORDS, "giu");
}

/** Says whether what stands under `key` is a secret, whatever its type. */
export function isSensitiveKey(key: string): boolean {
  return SENSITIVE.test(key) || NEVER_RECORDED.test(key);
}

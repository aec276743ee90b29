/** What stands in a record for a secret. */
export const REDACTED = "[redacted]";

const WORDS =
  "authorization|api[-_ .]?keys?|secret|token|password|passwd|credential|cookie|private[-_ .]?key";

const SENSITIVE = new RegExp(WORDS, "iu");

const NEVER_RECORDED = /nonce|proof|signature|^(?:af[-_]?)?sig$/iu;

/** Most keys whose answer is remembered, and their longest: records have few keys of their own. */
const REMEMBERED_KEYS = 1000;
const REMEMBERED_LENGTH = 64;

const answers = new Map<string, boolean>();

/** Finds the sensitive words themselves in a longer text. */
export function sensitiveWords(): RegExp {
  return new RegExp(WORDS, "giu");
}

/** Says whether a text holds a sensitive word. */
export function hasSensitiveWord(text: string): boolean {
  return SENSITIVE.test(text);
}

/** Says whether what stands under `key` is a secret, whatever its type. */
export function isSensitiveKey(key: string): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const answer = SENSITIVE.test(key) || NEVER_RECORDED.test(key);
  if (key.length <= REMEMBERED_LENGTH && answers.size < REMEMBERED_KEYS) answers.set(key, answer);
  return answer;
}

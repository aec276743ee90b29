import { foldName, isPlain } from "./fold-names.ts";

/** What stands in a record for a secret. */
export const REDACTED = "[redacted]";

/** An underscore stands for a separator that may be there. */
const WORDS = [
  "authorization",
  "api_key",
  "secret",
  "token",
  "password",
  "passwd",
  "credential",
  "cookie",
  "private_key",
];

const SEPARATOR = "[-_.\\p{Zs}]?";
/** What a shell takes out of the middle of a word. */
const QUOTES = "\\$?[\"'`\\\\]";

const SENSITIVE = new RegExp(WORDS.join("|").replaceAll("_", SEPARATOR), "iu");

const SPREAD = WORDS.map((word) =>
  Array.from(word, (sign) => (sign === "_" ? SEPARATOR : sign)).join(`(?:${QUOTES})*`),
).join("|");

const SOME_QUOTES = /["'`\\]/;
const ALL_QUOTES = new RegExp(QUOTES, "g");

const NEVER_RECORDED = /nonce|proof|signature|^(?:af[-_]?)?sig$/iu;

/** Most keys whose answer is remembered, and their longest: records have few keys of their own. */
const REMEMBERED_KEYS = 1000;
const REMEMBERED_LENGTH = 64;

const answers = new Map<string, boolean>();

/** Finds the sensitive words themselves in a longer folded text, also with quotes or backslashes within. */
export function sensitiveWords(): RegExp {
  return new RegExp(SPREAD, "giu");
}

/** Says whether a folded text holds a sensitive word. */
export function hasSensitiveWord(text: string): boolean {
  if (SENSITIVE.test(text)) return true;
  return !isPlain(text) && SOME_QUOTES.test(text) && SENSITIVE.test(withoutQuotes(text));
}

/** A word as a shell hands it on: quotes and backslashes are gone. */
export function withoutQuotes(text: string): string {
  return text.replace(ALL_QUOTES, "");
}

/** Says whether what stands under `key` is a secret, whatever its type. */
export function isSensitiveKey(key: string): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const plain = withoutQuotes(foldName(key));
  const answer = SENSITIVE.test(plain) || NEVER_RECORDED.test(plain);
  if (key.length <= REMEMBERED_LENGTH && answers.size < REMEMBERED_KEYS) answers.set(key, answer);
  return answer;
}

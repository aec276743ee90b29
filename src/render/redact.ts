import { hasSensitiveWord, REDACTED, sensitiveWords } from "./sensitive-names.ts";
import { type Quote, quoteAt, type Span, skipValue, skipWord, unescapedEnd } from "./shell-scan.ts";

const NAME_PART = /[A-Za-z0-9_.-]/;
const SETTERS = /(?:^|[\s;&|("'`])(?:set|setenv|setx)\s+(?:-\S+\s+)*[^\s"']*$/i;
const NOT_A_SECRET = /^-+(?:no|without|skip)-|(?:stdin|file|path|fd|prompt|length|count|only)$/i;
const SCHEME = /^(?:bearer|basic|digest|token|negotiate|apikey)[ \t]+/i;
const REFERENCE =
  /^"?(?:(?:[Bb]earer|[Bb]asic|[Tt]oken) +)?\$(?:[A-Z_][A-Z0-9_]{0,99}|\{[A-Z_][A-Z0-9_]{0,99}\})"?$/;
const USERINFO = /:\/\/[^\s/:@'"]{1,200}:([^\s/@'"]{1,2000})@/g;
const SETTER_REACH = 120;
/** Length of the shortest sensitive word; a URL with a password is longer. */
const SHORTEST_WORD = 5;
const PEM_END = "-----END";

/**
 * Replaces what is bound to a sensitive name in a text taken from a shell call: assignments, flags and their
 * values, headers, query and form fields, JSON and YAML entries, and the password of a URL. Where the end of
 * a secret is unclear, more is replaced rather than less. Takes time linear in the text.
 */
export function redactBound(text: string): string {
  if (text.length < SHORTEST_WORD) return text;
  return redactUserinfo(hasSensitiveWord(text) ? redactNamed(text) : text);
}

function redactNamed(text: string): string {
  const words = sensitiveWords();
  const quotes = quoteAt(text);
  let out = "";
  let done = 0;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const name = nameAround(text, match.index, words.lastIndex, done);
    const quote = quotes(match.index);
    const secret = secretAfter(text, name, quote);
    if (secret !== null && secret.end > secret.start && !isReference(text, secret, quote)) {
      out += text.slice(done, secret.start) + REDACTED;
      done = secret.end;
    }
    words.lastIndex = Math.max(name.end, done);
  }
  return out + text.slice(done);
}

/** A variable of the environment is a name, not its secret; in single quotes it would be a literal. */
function isReference(text: string, secret: Span, quote: Quote): boolean {
  return quote !== "'" && REFERENCE.test(text.slice(secret.start, secret.end));
}

function redactUserinfo(text: string): string {
  if (!text.includes("://")) return text;
  return text.replace(USERINFO, (whole, secret: string) =>
    secret === REDACTED ? whole : `${whole.slice(0, -secret.length - 1)}${REDACTED}@`,
  );
}

function nameAround(text: string, from: number, to: number, floor: number): Span {
  let start = from;
  while (start > floor && NAME_PART.test(text.charAt(start - 1))) start -= 1;
  let end = to;
  while (end < text.length && NAME_PART.test(text.charAt(end))) end += 1;
  return { start, end };
}

/** Where the secret bound to a name stands, or null when nothing is bound to it. */
function secretAfter(text: string, name: Span, quote: Quote): Span | null {
  if (text.slice(name.start - 2, name.start) === "${") return insideBraces(text, name.end);
  if (text.startsWith("-----", name.end - 5)) {
    return { start: name.end, end: endBefore(text, name.end, PEM_END) };
  }
  const closed = skipClosers(text, name.end);
  const isKey = closed > name.end;
  const outer = isKey && text.charAt(name.end) === quote ? "" : quote;
  const spaced = /^[ \t]+[=:][ \t]+/.exec(text.slice(closed, closed + 12));
  if (spaced !== null) return loose(text, closed + spaced[0].length, outer);
  const sign = /^(?:[+?:]?={1,2}|:(?!\/\/))/.exec(text.slice(closed, closed + 3))?.[0];
  if (sign === undefined) return isKey ? null : boundBySpace(text, name, quote);
  const behind = closed + sign.length;
  return isKey
    ? keyed(text, skipBlanks(text, behind), outer)
    : boundBySign(text, behind, sign, outer);
}

/** The text that an expansion such as `${NAME:-text}` falls back to. */
function insideBraces(text: string, from: number): Span | null {
  const operator = /^[:?+=-]+/.exec(text.slice(from, from + 3))?.[0] ?? "";
  const start = from + operator.length;
  return operator === "" ? null : { start, end: endBefore(text, start, "}") };
}

function boundBySign(text: string, behind: number, sign: string, quote: Quote): Span | null {
  const start = skipBlanks(text, behind);
  const isApart = start > behind;
  // `NAME= command` sets nothing and runs the command; a colon with blanks is a header or an entry.
  if (sign !== ":") return isApart ? null : word(text, start, quote);
  return quote === "" && !isApart ? word(text, start, quote) : header(text, start, quote);
}

function boundBySpace(text: string, name: Span, quote: Quote): Span | null {
  const start = skipBlanks(text, name.end);
  if (start === name.end || text.charAt(start) === "-") return null;
  const own = text.slice(name.start, name.end);
  const isFlag = own.startsWith("-") && !NOT_A_SECRET.test(own);
  const isSet = SETTERS.test(text.slice(Math.max(0, name.start - SETTER_REACH), name.start));
  return isFlag || isSet ? word(text, start, quote) : null;
}

/** A value written as one word: `NAME=value`, `--name value`, `?name=value&`. */
function word(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote === "") return { start, end: skipValue(text, start) };
  let end = start;
  while (end < text.length && !endsInQuotes(text, end, quote)) end += 1;
  return { start, end };
}

function endsInQuotes(text: string, at: number, quote: Quote): boolean {
  const character = text.charAt(at);
  if (character === quote || character === "&" || /\s/.test(character)) return true;
  return character === ";" && /^(?:\s|$)/.test(text.charAt(at + 1));
}

/** A header or an entry: `Name: value` up to the end of its quotes or its line. */
function header(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote !== "") return { start, end: unescapedEnd(text, start, quote) };
  const scheme = SCHEME.exec(text.slice(start, start + 20));
  if (scheme !== null) return { start, end: skipWord(text, start + scheme[0].length) };
  return loose(text, start, quote);
}

/** A value of unclear end: to the end of the quotes, else to the next separator of the line. */
function loose(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote !== "") return { start, end: unescapedEnd(text, start, quote) };
  let end = start;
  while (end < text.length && !/[\n;|&"']/.test(text.charAt(end))) end += 1;
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

/** The value of a quoted key, as in JSON. */
function keyed(text: string, start: number, quote: Quote): Span {
  const open = text.charAt(start);
  if (quote === "" && (open === "'" || open === '"')) {
    return { start, end: Math.min(unescapedEnd(text, start + 1, open) + 1, text.length) };
  }
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  const end = quote === "" ? text.length : unescapedEnd(text, start, quote);
  const isNested = open === "[" || open === "{";
  return { start, end: isNested ? end : Math.min(end, endOfScalar(text, start)) };
}

function endOfScalar(text: string, start: number): number {
  let end = start;
  while (end < text.length && !/[,}\]\s]/.test(text.charAt(end))) end += 1;
  return end;
}

/** A value in quotes of its own, with the quotes kept; null when it has none. */
function quoted(text: string, start: number, outer: Quote): Span | null {
  const opening = /^\\*["']/.exec(text.slice(start, start + 8))?.[0];
  if (opening === undefined || opening === outer) return null;
  const inside = start + opening.length;
  if (opening.length > 1) {
    const at = text.indexOf(opening, inside);
    return { start: inside, end: at < 0 ? text.length : at };
  }
  // A word may go on behind its quotes: 'a'"b".
  if (outer === "") return { start, end: skipWord(text, start) };
  return { start: inside, end: unescapedEnd(text, inside, opening as Quote) };
}

function skipClosers(text: string, from: number): number {
  return from + (/^\\{0,4}["'](?:\])?|^\]/.exec(text.slice(from, from + 6))?.[0].length ?? 0);
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === " " || text.charAt(at) === "\t") at += 1;
  return at;
}

function endBefore(text: string, from: number, closing: string): number {
  const at = text.indexOf(closing, from);
  return at < 0 ? text.length : at;
}

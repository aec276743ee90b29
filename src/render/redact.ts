import { type Folded, foldNames } from "./fold-names.ts";
import { block, header, keyed, loose, skipBlanks, skipSpace, word } from "./secret-values.ts";
import { hasSensitiveWord, REDACTED, sensitiveWords, withoutQuotes } from "./sensitive-names.ts";
import { type Quote, quoteAt, type Span } from "./shell-scan.ts";

const NAME_PART = /[A-Za-z0-9_.-]/;
const SETTERS = /(?:^|[\s;&|("'`])(?:set|setenv|setx)\s+(?:-\S+\s+)*[^\s"']*$/i;
const NOT_A_SECRET = /^-+(?:no|without|skip)-|(?:stdin|file|path|fd|prompt|length|count|only)$/i;
const REFERENCE =
  /^"?(?:(?:[Bb]earer|[Bb]asic|[Tt]oken) +)?\$(?:[A-Z_][A-Z0-9_]{0,99}|\{[A-Z_][A-Z0-9_]{0,99}\})"?$/;
const USERINFO = /:\\?\/\\?\/[^ \t\r\n/:@'"]{0,200}:/g;
const END_OF_USERINFO = /[ \t\r\n/@'"]/g;
const QUOTE = /["'`\\]/;
const REST_OF_NAME = /(?:[A-Za-z0-9_.-]|["'`\\]+(?=[A-Za-z0-9_.-]))*/y;
/** Quotes that hold nothing, and a backslash before the sign. */
const EMPTY_QUOTES = /(?:\$?(?:''|"")|``|\\(?=[=:]))*/y;
const NEXT_ITEM = /[ \t\r\n]*,[ \t\r\n]*/y;
const SETTER_REACH = 120;
/** Length of the shortest sensitive word; a URL with a password is longer. */
const SHORTEST_WORD = 5;
const PEM_END = "-----END";
/** How often a text is searched anew after something in it was replaced. */
const MOST_TURNS = 6;

/**
 * Replaces what is bound to a sensitive name in a text taken from a shell call: assignments, flags and their
 * values, headers, query and form fields, JSON and YAML entries, and the password of a URL. A name counts as what
 * it looks like or as what a shell makes of it, whichever signs it is written with. Where the end of a secret is
 * unclear, more is replaced rather than less. What is redacted stays as it is when it is redacted again. Takes
 * time linear in the text, and never throws.
 */
export function redactBound(text: string): string {
  let before = text;
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    const after = redactOnce(before);
    if (after === before) return after;
    before = after;
  }
  // Each turn finds more: nothing in it can be trusted to be harmless.
  return REDACTED;
}

function redactOnce(text: string): string {
  if (text.length < SHORTEST_WORD) return text;
  const folded = foldNames(text);
  return redactUserinfo(hasSensitiveWord(folded.text) ? redactNamed(text, folded) : text);
}

function redactNamed(original: string, { text, origin }: Folded): string {
  const words = sensitiveWords();
  const quotes = quoteAt(text);
  let out = "";
  let done = 0;
  let named = 0;
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const name = nameAround(text, match.index, words.lastIndex, named);
    const secret = secretAfter(text, wholeName(text, name, quotes));
    named = Math.max(name.end, secret?.end ?? 0);
    words.lastIndex = named;
    if (secret === null || secret.end <= secret.start) continue;
    const [start, end] = [origin(secret.start), origin(secret.end)];
    if (isReference(original.slice(start, end), secret.quote)) continue;
    out += original.slice(done, start) + REDACTED;
    done = end;
  }
  return out + original.slice(done);
}

/** A variable of the environment is a name, not its secret; in single quotes it would be a literal. */
function isReference(secret: string, quote: Quote): boolean {
  return quote !== "'" && REFERENCE.test(secret);
}

function redactUserinfo(text: string): string {
  if (!text.includes("://") && !text.includes(":\\/")) return text;
  let out = "";
  let done = 0;
  for (let match = USERINFO.exec(text); match !== null; match = USERINFO.exec(text)) {
    const start = USERINFO.lastIndex;
    END_OF_USERINFO.lastIndex = start;
    const end = END_OF_USERINFO.exec(text)?.index ?? text.length;
    if (end > start && text.charAt(end) === "@") {
      out += text.slice(done, start) + REDACTED;
      done = end;
    }
    USERINFO.lastIndex = end;
  }
  return out + text.slice(done);
}

/** A name goes on behind quotes and backslashes that stand between two signs of it. */
function nameAround(text: string, from: number, to: number, floor: number): Span {
  let start = from;
  for (let at = from - 1; at >= floor; at -= 1) {
    if (NAME_PART.test(text.charAt(at))) start = at;
    else if (!QUOTE.test(text.charAt(at))) break;
  }
  REST_OF_NAME.lastIndex = to;
  return { start, end: to + (REST_OF_NAME.exec(text)?.[0].length ?? 0) };
}

/** A name, and the quote that is open behind it. */
interface Name extends Span {
  readonly quote: Quote;
}

/** Takes in quotes that begin or end with a name which others stand within, and quotes that hold nothing. */
function wholeName(text: string, { start, end }: Span, quotes: ReturnType<typeof quoteAt>): Name {
  const before = quotes(start);
  const open = quotes(end);
  const within = text.slice(start, end);
  const isOpened = before !== "" && within.includes(before) && text.charAt(start - 1) === before;
  const isClosed = open !== "" && within.includes(open) && text.charAt(end) === open;
  EMPTY_QUOTES.lastIndex = end + Number(isClosed);
  const behind = EMPTY_QUOTES.lastIndex + (EMPTY_QUOTES.exec(text)?.[0].length ?? 0);
  return { start: start - Number(isOpened), end: behind, quote: quotes(behind) };
}

/** Where the secret bound to a name stands, or null when nothing is bound to it. */
function secretAfter(text: string, name: Name): Name | null {
  const span = boundTo(text, name);
  return span === null ? null : { ...span, quote: name.quote };
}

function boundTo(text: string, name: Name): Span | null {
  const { quote } = name;
  if (text.slice(name.start - 2, name.start) === "${") return insideBraces(text, name.end);
  if (text.startsWith("-----", name.end - 5)) {
    return { start: name.end, end: endBefore(text, name.end, PEM_END) };
  }
  const closed = skipClosers(text, name.end);
  const isKey = closed > name.end;
  const outer = isKey && text.charAt(name.end) === quote ? "" : quote;
  const spaced = /^[ \t]+(?:=>|[=:](?!\/\/))[ \t]*/.exec(text.slice(closed, closed + 12));
  if (spaced !== null) return boundApart(text, closed + spaced[0].length, isKey, outer);
  const sign = /^(?:[+?:]?={1,2}>?|:(?!\/\/))/.exec(text.slice(closed, closed + 4))?.[0];
  if (sign === undefined) return boundBySpace(text, { ...name, quote: outer }, closed);
  const behind = closed + sign.length;
  return isKey
    ? keyed(text, skipSpace(text, behind), outer)
    : boundBySign(text, behind, sign, outer);
}

/** A sign with blanks before it. */
function boundApart(text: string, start: number, isKey: boolean, quote: Quote): Span {
  const isClear = isKey && /["'[{]/.test(text.charAt(start));
  return isClear ? keyed(text, start, quote) : loose(text, start, quote);
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
  const lines = isApart && quote === "" ? block(text, start) : null;
  if (lines !== null) return lines;
  return quote === "" && !isApart ? word(text, start, quote) : header(text, start, quote);
}

/** The next word behind a flag or the name that is set, or the next item of a list of words. */
function boundBySpace(text: string, name: Name, closed: number): Span | null {
  const own = withoutQuotes(text.slice(name.start, name.end));
  const isFlag = own.startsWith("-") && !NOT_A_SECRET.test(own);
  const isKey = closed > name.end;
  NEXT_ITEM.lastIndex = closed;
  const item = isFlag && isKey ? (NEXT_ITEM.exec(text)?.[0].length ?? 0) : 0;
  if (item > 0) return keyed(text, closed + item, name.quote);
  const start = skipBlanks(text, closed);
  if (start === closed || text.charAt(start) === "-") return null;
  const isSet = SETTERS.test(text.slice(Math.max(0, name.start - SETTER_REACH), name.start));
  return isFlag || (isSet && !isKey) ? word(text, start, name.quote) : null;
}

function skipClosers(text: string, from: number): number {
  return from + (/^\\{0,4}["'](?:\])?|^\]/.exec(text.slice(from, from + 6))?.[0].length ?? 0);
}

function endBefore(text: string, from: number, closing: string): number {
  const at = text.indexOf(closing, from);
  return at < 0 ? text.length : at;
}

import { REDACTED } from "./sensitive-names.ts";
import { type Quote, type Span, skipValue, skipWord, unescapedEnd } from "./shell-scan.ts";

const SCHEME = /^(?:bearer|basic|digest|token|negotiate|apikey)[ \t]+/i;

/** A value written as one word: `NAME=value`, `--name value`, `?name=value&`. */
export function word(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote === "") return { start, end: skipValue(text, start) };
  let end = start;
  while (end < text.length && !endsInQuotes(text, end, quote)) end += 1;
  return { start, end };
}

function endsInQuotes(text: string, at: number, quote: Quote): boolean {
  const character = text.charAt(at);
  if (character === quote || character === "&" || /[ \t\n\r]/.test(character)) return true;
  return character === ";" && /^(?:\s|$)/.test(text.charAt(at + 1));
}

/** A header or an entry: `Name: value` up to the end of its quotes or its line. */
export function header(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote !== "") return { start, end: unescapedEnd(text, start, quote) };
  const scheme = SCHEME.exec(text.slice(start, start + 20));
  if (scheme !== null) return { start, end: skipWord(text, start + scheme[0].length) };
  return loose(text, start, quote);
}

const BLOCK = /^[|>][0-9+-]{0,2}[ \t]*(?:#[^\n]{0,200})?\r?\n/;
const INDENT = /[ \t]*(?:-[ \t]+)*/y;

/** A block of YAML: a sign behind the key, and every line that stands further in than the key; null when it is none. */
export function block(text: string, start: number): Span | null {
  const sign = BLOCK.exec(text.slice(start, start + 220))?.[0];
  if (sign === undefined) return null;
  const outer = indentAt(text, text.lastIndexOf("\n", start) + 1);
  let end = start + sign.length;
  while (end < text.length && (isBlank(text, end) || indentAt(text, end) > outer)) {
    const next = text.indexOf("\n", end);
    end = next < 0 ? text.length : next + 1;
  }
  const isWhole = end === text.length && !text.endsWith("\n");
  return { start, end: isWhole ? end : end - 1 };
}

function indentAt(text: string, start: number): number {
  INDENT.lastIndex = start;
  return INDENT.exec(text)?.[0].length ?? 0;
}

function isBlank(text: string, start: number): boolean {
  return text.charAt(skipBlanks(text, start)) === "\n" || text.charAt(start) === "\r";
}

/** A value of unclear end: to the end of the quotes, else to the next separator of the line. */
export function loose(text: string, start: number, quote: Quote): Span {
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  if (quote !== "") return { start, end: unescapedEnd(text, start, quote) };
  let end = start;
  while (end < text.length && !/[\n;|&"']/.test(text.charAt(end))) end += 1;
  return { start, end: start + text.slice(start, end).trimEnd().length };
}

/** The value of a quoted key, as in JSON. */
export function keyed(text: string, start: number, quote: Quote): Span {
  const open = text.charAt(start);
  if (quote === "" && (open === "'" || open === '"')) {
    return { start, end: Math.min(unescapedEnd(text, start + 1, open) + 1, text.length) };
  }
  const own = quoted(text, start, quote);
  if (own !== null) return own;
  const end = quote === "" ? text.length : unescapedEnd(text, start, quote);
  // What is masked already is no list.
  if (text.startsWith(REDACTED, start)) {
    return { start, end: Math.min(end, endOfScalar(text, start + REDACTED.length)) };
  }
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

/** Index behind blanks. */
export function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text.charAt(at) === " " || text.charAt(at) === "\t") at += 1;
  return at;
}

/** Index behind blanks and line ends, which mean nothing in JSON. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && " \t\r\n".includes(text.charAt(at))) at += 1;
  return at;
}

import { match, type Reader } from "./reader.ts";

/** Words that open a compound command. */
const OPENING = ["if", "while", "until", "for", "case", "select", "function", "{", "[[", "!"];

/** Words that go on with a compound command or end it, and what is not followed at all. */
const JOINING = ["then", "elif", "else", "fi", "do", "done", "esac", "}", "]]", "in", "coproc"];

const RESERVED = new Set([...OPENING, ...JOINING]);

const KEYWORD = /(?:[a-z]+|\[\[|\]\]|[{}!])(?=[ \t\r\n;&|()<>]|$)/y;

/** The word with a meaning of its own that begins here; empty when there is none. */
export function keywordHere(reader: Reader): string {
  const word = match(reader, KEYWORD)?.[0] ?? "";
  return RESERVED.has(word) ? word : "";
}

/** Says whether a word opens, joins or ends a compound command. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}

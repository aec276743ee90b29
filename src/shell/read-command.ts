import { isReserved } from "./keywords.ts";
import { readRedirect, skipBlanks, skipLines } from "./read-redirect.ts";
import { readWord } from "./read-word.ts";
import {
  type Assignment,
  expectText,
  note,
  peek,
  QUOTED,
  type Reader,
  type ShellRedirect,
  type ShellWord,
  unclear,
} from "./reader.ts";

const ASSIGNED = /^([A-Za-z_]\w*)(\[[^\]]*\])?(\+?)=/;

/** Commands whose words may be assignments with lists in them. */
export const DECLARING: ReadonlySet<string> = new Set([
  "declare",
  "typeset",
  "export",
  "readonly",
  "local",
]);

interface Draft {
  readonly words: ShellWord[];
  readonly prefix: Assignment[];
  readonly redirects: ShellRedirect[];
  start: number;
  end: number;
}

/** Reads a command without a body: assignments, redirects and words, in any order. */
export function readSimple(reader: Reader, piped: boolean): void {
  const draft: Draft = { words: [], prefix: [], redirects: [], start: reader.at, end: reader.at };
  const before = reader.at;
  while (takePart(reader, draft)) skipBlanks(reader);
  if (reader.at === before) unclear();
  finish(reader, draft, piped);
}

function takePart(reader: Reader, draft: Draft): boolean {
  const isRedirect = readRedirect(reader, (redirect) => {
    draft.redirects.push(redirect);
    draft.end = Math.max(draft.end, redirect.end);
  });
  if (isRedirect) return true;
  const word = readWord(reader);
  if (word === null) return false;
  // A descriptor by the name of a variable is no word.
  if (/^\{\w+\}$/.test(word.syntax) && /[<>]/.test(peek(reader))) unclear();
  const isFirst = draft.words.length === 0;
  const assigned = isFirst || declares(draft.words) ? assignmentIn(reader, word) : null;
  if (assigned !== null) {
    draft.prefix.push(...(isFirst ? [assigned] : []));
    note(reader.found.assignments, assigned);
    if (isFirst) return true;
  }
  if (isFirst) begin(reader, draft, word);
  draft.words.push(word);
  draft.end = reader.at;
  return true;
}

function begin(reader: Reader, draft: Draft, word: ShellWord): void {
  if (word.syntax === word.text && isReserved(word.text)) unclear();
  draft.start = word.start;
  if (word.text !== "time" || word.syntax.includes(QUOTED)) return;
  // What is timed may be a group, which is then no word.
  skipBlanks(reader);
  const rest = reader.source.slice(reader.at, reader.at + 16);
  if (/^(?:-p[ \t]+)?(?:\(|[a-z{![]+(?![\w./-]))/.test(rest) && isTimedGroup(rest)) unclear();
}

function isTimedGroup(rest: string): boolean {
  const word = /^(?:-p[ \t]+)?(\(|[a-z]+|\{|!|\[\[)/.exec(rest)?.[1] ?? "";
  return word === "(" || isReserved(word);
}

function declares(words: readonly ShellWord[]): boolean {
  return DECLARING.has(words[0]?.text ?? "");
}

/** The assignment that a word is, its list of values included; null for any other word. */
function assignmentIn(reader: Reader, word: ShellWord): Assignment | null {
  const [whole, name = "", subscript = "", plus] = ASSIGNED.exec(word.syntax) ?? [];
  if (whole === undefined) return null;
  if (subscript !== "") takeSubscript(reader, subscript);
  const isList = peek(reader) === "(" && whole.length === word.text.length;
  if (isList) readValues(reader);
  const isKnown = !isList && subscript === "" && plus === "";
  return {
    name,
    word: isKnown ? behind(word, whole.length) : null,
    numeric: isKnown && isNumeric(word, whole.length),
    from: reader.at,
    to: reader.at,
  };
}

function takeSubscript(reader: Reader, subscript: string): void {
  const index = /^\[(?:\d+|([A-Za-z_]\w*))\]$/.exec(subscript) ?? unclear();
  if (index[1] !== undefined) reader.found.calculated.add(index[1]);
}

/** The part of a word behind so many characters, which all shells read alike. */
function behind(word: ShellWord, count: number): ShellWord {
  return {
    ...word,
    text: word.text.slice(count),
    syntax: word.syntax.slice(count),
    expansions: word.expansions.map((one) => ({ ...one, at: one.at - count })),
    elsewhere: word.elsewhere === null ? null : behind(word.elsewhere, count),
  };
}

function isNumeric(word: ShellWord, from: number): boolean {
  const [only, other] = word.expansions;
  if (word.elsewhere !== null) return false;
  if (only === undefined) return /^-?\d+$/.test(word.text.slice(from));
  return other === undefined && only.numeric && only.length === word.text.length - from;
}

function readValues(reader: Reader): void {
  expectText(reader, "(");
  for (skipLines(reader); peek(reader) !== ")"; skipLines(reader)) {
    const word = readWord(reader) ?? unclear();
    if (word.syntax.startsWith("[") && !/^\[\d+\]=/.test(word.syntax)) unclear();
    reader.found.words.push(word);
  }
  expectText(reader, ")");
  // What follows at once would be part of the same word.
  if (!/^[ \t\r\n;&|)<>]?$/.test(peek(reader))) unclear();
}

function finish(reader: Reader, draft: Draft, piped: boolean): void {
  const { words, prefix, redirects } = draft;
  if (words.length === 0) {
    reader.found.redirects.push(...redirects);
    if (redirects.length > 0) reader.found.runs = true;
    if (reader.pending.length > 0) unclear();
    return;
  }
  reader.found.runs = true;
  const { start } = draft;
  note(reader.found.commands, {
    start,
    get end() {
      return draft.end;
    },
    words,
    prefix,
    redirects,
    context: reader.context,
    piped,
  });
}

import { readInterpolated, readWord } from "./read-word.ts";
import { match, peek, type Reader, type ShellRedirect, type ShellWord, unclear } from "./reader.ts";

const OPERATOR = /(\d*)(?:<<<|<<-|<<|<&|<>|<(?!\()|>>|>&|>\||>(?!\())|&>>?/y;
const TAG = /^[\w.,:@%+=-]+$/;
const QUOTED_TAG = /[\\'"]/;

/** Takes blanks, continued lines and a comment. */
export function skipBlanks(reader: Reader): void {
  for (;;) {
    const character = peek(reader);
    if (character === " " || character === "\t") reader.at += 1;
    else if (character === "\\" && peek(reader, 1) === "\n") reader.at += 2;
    else if (character === "#") {
      const line = reader.source.indexOf("\n", reader.at);
      reader.at = line < 0 || line > reader.end ? reader.end : line;
    } else return;
  }
}

/** Takes a line end and the here-documents behind it; false when there is none. */
export function takeLineEnd(reader: Reader): boolean {
  if (peek(reader) !== "\n") return false;
  reader.at += 1;
  while (reader.pending.length > 0) takeHeredoc(reader);
  return true;
}

/** Takes blanks, comments and line ends. */
export function skipLines(reader: Reader): void {
  do skipBlanks(reader);
  while (takeLineEnd(reader));
}

/** Reads a redirect and hands it on; false when none begins here. */
export function readRedirect(reader: Reader, take: (redirect: ShellRedirect) => void): boolean {
  const found = match(reader, OPERATOR);
  if (found === null) return false;
  const operator = found[0].slice(found[1]?.length ?? 0);
  reader.at += found[0].length;
  skipBlanks(reader);
  const word = readWord(reader) ?? unclear();
  // To some shells it says that an old file may be lost, and the file is the next word.
  if (word.syntax.startsWith("!")) unclear();
  if (operator.startsWith("&") && !isEndOfCommand(reader)) unclear();
  if (operator === "<<" || operator === "<<-") announce(reader, { operator, word, take });
  else take(redirectOf(operator, word, reader.at));
  return true;
}

/** Shells that do not know `&>` run what stands before it and go on behind it. */
function isEndOfCommand(reader: Reader): boolean {
  skipBlanks(reader);
  return /^[;&|)\r\n]?$/.test(peek(reader));
}

function redirectOf(operator: string, word: ShellWord, end: number): ShellRedirect {
  if (operator === "<<<") return { direction: null, target: null, given: word, end };
  if (/^[<>]&$/.test(operator) && word.literal && /^(?:\d+-?|-)$/.test(word.text)) {
    return { direction: null, target: null, given: null, end };
  }
  const direction = operator === "<>" ? null : operator.startsWith("<") ? "read" : "write";
  return { direction, target: word, given: null, end };
}

interface Announced {
  readonly operator: string;
  readonly word: ShellWord;
  readonly take: (redirect: ShellRedirect) => void;
}

function announce(reader: Reader, { operator, word, take }: Announced): void {
  const written = reader.source.slice(word.start, word.end);
  if (!word.literal || !TAG.test(word.text) || /[\n\r$]/.test(written)) unclear();
  const tagEnd = word.end;
  reader.pending.push({
    tag: word.text,
    quoted: QUOTED_TAG.test(written),
    stripsTabs: operator === "<<-",
    depth: reader.depth,
    take: (given) => {
      take({ direction: null, target: null, given, end: tagEnd });
    },
  });
}

/** Reads the text of the first here-document announced. */
function takeHeredoc(reader: Reader): void {
  const document = reader.pending.shift();
  if (document === undefined || document.depth !== reader.depth) unclear();
  const from = reader.at;
  for (let at = from; at < reader.end; ) {
    const next = reader.source.indexOf("\n", at);
    const end = next < 0 || next > reader.end ? reader.end : next;
    const line = reader.source.slice(at, end);
    if ((document.stripsTabs ? line.replace(/^\t+/, "") : line) === document.tag) {
      document.take({ ...bodyOf(reader, document.quoted, from, at), end });
      reader.at = Math.min(end + 1, reader.end);
      return;
    }
    // A continued line could hide the end from this reading, or from the shell.
    if (!document.quoted && /\\\r?$/.test(line)) unclear();
    at = end + 1;
  }
  unclear();
}

function bodyOf(reader: Reader, quoted: boolean, from: number, to: number): ShellWord {
  if (!quoted) return readInterpolated(reader, from, to);
  const text = reader.source.slice(from, to);
  return {
    text,
    syntax: text,
    literal: true,
    expansions: [],
    elsewhere: null,
    start: from,
    end: to,
  };
}

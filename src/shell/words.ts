import { ANSI_NAMED } from "./ansi-quotes.ts";

/** One word of a command, its quotes and escapes resolved. */
export interface Word {
  readonly text: string;
  /** False when it holds an expansion, which stays as it was written. */
  readonly literal: boolean;
  /** The pattern of files that it is to the shell; absent: none. */
  readonly glob?: string;
}

interface Cursor {
  readonly source: string;
  at: number;
  text: string;
  literal: boolean;
  started: boolean;
}

const BLANK = /[ \t\r\n]/;
const ESCAPED_IN_DOUBLE = new Set(["$", "`", '"', "\\"]);

/**
 * Splits a simple command into words by the shell's quoting rules. An open quote reaches to the end;
 * operators are ordinary characters.
 */
export function splitWords(source: string): readonly Word[] {
  const words: Word[] = [];
  const cursor: Cursor = { source, at: 0, text: "", literal: true, started: false };
  const flush = (): void => {
    if (cursor.started) words.push({ text: cursor.text, literal: cursor.literal });
    cursor.text = "";
    cursor.literal = true;
    cursor.started = false;
  };
  while (cursor.at < source.length) {
    const character = source.charAt(cursor.at);
    if (BLANK.test(character)) {
      flush();
      cursor.at += 1;
    } else takePiece(cursor, character);
  }
  flush();
  return words;
}

function takePiece(cursor: Cursor, character: string): void {
  if (character === "\\") {
    takeEscape(cursor);
    return;
  }
  cursor.started = true;
  if (character === "'") takeSingle(cursor);
  else if (character === '"') takeDouble(cursor);
  else if (character === "$" && cursor.source.charAt(cursor.at + 1) === "'") takeAnsi(cursor);
  else {
    if (character === "$" || character === "`") cursor.literal = false;
    cursor.text += character;
    cursor.at += 1;
  }
}

function takeEscape(cursor: Cursor): void {
  const next = cursor.source.charAt(cursor.at + 1);
  cursor.at += 2;
  if (next === "\n") return;
  cursor.started = true;
  cursor.text += next;
}

function takeSingle(cursor: Cursor): void {
  const close = cursor.source.indexOf("'", cursor.at + 1);
  const end = close < 0 ? cursor.source.length : close;
  cursor.text += cursor.source.slice(cursor.at + 1, end);
  cursor.at = end + 1;
}

function takeDouble(cursor: Cursor): void {
  const { source } = cursor;
  cursor.at += 1;
  while (cursor.at < source.length && source.charAt(cursor.at) !== '"') {
    const character = source.charAt(cursor.at);
    const next = source.charAt(cursor.at + 1);
    if (character === "\\" && (ESCAPED_IN_DOUBLE.has(next) || next === "\n")) {
      if (next !== "\n") cursor.text += next;
      cursor.at += 2;
      continue;
    }
    if (character === "$" || character === "`") cursor.literal = false;
    cursor.text += character;
    cursor.at += 1;
  }
  cursor.at += 1;
}

const ANSI_CODE = /^(?:x([0-9A-Fa-f]{1,2})|([0-7]{1,3})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8}))/;

function takeAnsi(cursor: Cursor): void {
  const { source } = cursor;
  cursor.at += 2;
  while (cursor.at < source.length && source.charAt(cursor.at) !== "'") {
    if (source.charAt(cursor.at) !== "\\") {
      cursor.text += source.charAt(cursor.at);
      cursor.at += 1;
      continue;
    }
    const escape = readAnsi(source.slice(cursor.at + 1, cursor.at + 10));
    cursor.text += escape.text;
    cursor.at += 1 + escape.length;
  }
  cursor.at += 1;
}

function readAnsi(rest: string): { text: string; length: number } {
  const code = ANSI_CODE.exec(rest);
  if (code === null) {
    const name = rest.charAt(0);
    return { text: ANSI_NAMED.get(name) ?? name, length: 1 };
  }
  const [whole, hex, octal, short, long] = code;
  const value =
    octal === undefined
      ? Number.parseInt(hex ?? short ?? long ?? "0", 16)
      : Number.parseInt(octal, 8);
  const text = value <= 0x10ffff ? String.fromCodePoint(value) : "";
  return { text, length: whole.length };
}

import { calculate } from "./read-arithmetic.ts";
import {
  bracketed,
  expectText,
  match,
  nested,
  note,
  peek,
  type Reader,
  sees,
  unclear,
} from "./reader.ts";

/** What an expansion's value is known to be. */
export interface Value {
  readonly name: string | null;
  readonly numeric: boolean;
}

const UNKNOWN: Value = { name: null, numeric: false };
const NUMBER: Value = { name: null, numeric: true };

const NAME = /[A-Za-z_]\w*|[0-9@*#?$!-]/y;
const IN_BRACES =
  /(#?)([A-Za-z_]\w*|[0-9]+|[@*#?$!-])(\[(?:[@*]|\d+|[A-Za-z_]\w*|\$[A-Za-z_]\w*)\])?/y;
const KEYS = /![A-Za-z_]\w*\[[@*]\]\}/y;
const SLICE = /:(?: ?-?\d+)?(?::(?: ?-?\d+)?)?\}/y;
const TRANSFORM = /@[QULu]\}/y;
const OPERATOR = /:?[-=+?]|##?|%%?|\/[/#%]?|\^\^?|,,?/y;

/** Variables that the shell itself keeps a number in. */
const COUNTS = new Set(["#", "?", "$", "!", "RANDOM", "LINENO", "SECONDS", "UID", "EUID", "PPID"]);

/** Reads an expansion that begins with a dollar; null when the dollar is only itself. */
export function readDollar(reader: Reader, quoted: boolean): Value | null {
  const next = peek(reader, 1);
  if (next === "(") return readBracket(reader);
  if (next === "{") return readBraces(reader, quoted);
  if (next === "[" || next === "\\" || (!quoted && (next === '"' || next === "'"))) unclear();
  reader.at += 1;
  const name = match(reader, NAME)?.[0];
  if (name === undefined) {
    reader.at -= 1;
    return null;
  }
  reader.at += name.length;
  return valueOf(name);
}

function valueOf(name: string): Value {
  if (COUNTS.has(name)) return NUMBER;
  return /^[A-Za-z_]/.test(name) ? { name, numeric: false } : UNKNOWN;
}

function readBracket(reader: Reader): Value {
  if (sees(reader, "$((")) {
    reader.at += 3;
    nested(reader, () => {
      calculate(reader, readDollar);
    });
    return NUMBER;
  }
  reader.at += 2;
  bracketed(reader, "command_substitution");
  return UNKNOWN;
}

/** Reads a substitution in backticks, in which nothing may be escaped. */
export function readBackticks(reader: Reader): Value {
  const from = reader.at + 1;
  const to = reader.source.indexOf("`", from);
  if (to < 0 || to >= reader.end || reader.source.slice(from, to).includes("\\")) unclear();
  const inner: Reader = {
    ...reader,
    at: from,
    end: to,
    context: "command_substitution",
    pending: [],
  };
  nested(inner, () => {
    inner.list(inner, {});
  });
  if (inner.at !== to) unclear();
  reader.at = to + 1;
  return UNKNOWN;
}

function readBraces(reader: Reader, quoted: boolean): Value {
  reader.at += 2;
  const keys = match(reader, KEYS);
  if (keys !== null) {
    reader.at += keys[0].length;
    return UNKNOWN;
  }
  const found = match(reader, IN_BRACES);
  if (found === null) unclear();
  const [whole, length, name = "", subscript = ""] = found;
  reader.at += whole.length;
  const index = /^\[\$?([A-Za-z_]\w*)\]$/.exec(subscript)?.[1];
  if (index !== undefined) reader.found.calculated.add(index);
  if (peek(reader) === "}") {
    reader.at += 1;
    if (length !== "") return NUMBER;
    return subscript === "" ? valueOf(name) : UNKNOWN;
  }
  if (length !== "") unclear();
  readOperation(reader, name, quoted);
  return UNKNOWN;
}

function readOperation(reader: Reader, name: string, quoted: boolean): void {
  const fixed = match(reader, SLICE) ?? match(reader, TRANSFORM);
  if (fixed !== null) {
    reader.at += fixed[0].length;
    return;
  }
  const operator = match(reader, OPERATOR)?.[0];
  if (operator === undefined) unclear();
  reader.at += operator.length;
  if (operator.endsWith("=")) {
    note(reader.found.assignments, { name, word: null, numeric: false, from: 0, to: 0 });
  }
  nested(reader, () => {
    readOperand(reader, quoted);
  });
}

/** Reads what stands behind an operator in braces, and takes the closing one. */
function readOperand(reader: Reader, quoted: boolean): void {
  for (;;) {
    const character = peek(reader);
    if (character === "}") {
      reader.at += 1;
      return;
    }
    takeOfOperand(reader, character, quoted);
  }
}

function takeOfOperand(reader: Reader, character: string, quoted: boolean): void {
  if (character === "$") {
    if (readDollar(reader, quoted) === null) reader.at += 1;
  } else if (character === "`") readBackticks(reader);
  else if (character === "\\" && !/[\n\r]|^$/.test(peek(reader, 1))) reader.at += 2;
  else if (/^[^\\'"{(<>\n\r]$/.test(character)) reader.at += 1;
  else if (quoted) unclear();
  else takeQuotes(reader, character);
}

function takeQuotes(reader: Reader, character: string): void {
  if (character === '"') readQuoted(reader);
  else if (character === "'") {
    const close = reader.source.indexOf("'", reader.at + 1);
    if (close < 0 || close >= reader.end) unclear();
    reader.at = close + 1;
  } else unclear();
}

/** Reads a part in double quotes whose text nobody needs. */
function readQuoted(reader: Reader): void {
  reader.at += 1;
  for (let character = peek(reader); character !== '"'; character = peek(reader)) {
    if (character === "") unclear();
    if (character === "\\") reader.at += 2;
    else if (character === "`") readBackticks(reader);
    else if (character !== "$" || readDollar(reader, true) === null) reader.at += 1;
  }
  expectText(reader, '"');
}

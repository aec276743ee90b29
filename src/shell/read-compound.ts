import { keywordHere } from "./keywords.ts";
import { calculate } from "./read-arithmetic.ts";
import { readSimple } from "./read-command.ts";
import { readDollar } from "./read-expansion.ts";
import { readRedirect, skipBlanks, skipLines } from "./read-redirect.ts";
import { readTest } from "./read-test.ts";
import { readWord } from "./read-word.ts";
import {
  bracketed,
  expectText,
  match,
  nested,
  note,
  peek,
  type Reader,
  type ShellWord,
  sees,
  unclear,
} from "./reader.ts";

const FUNCTION = /([A-Za-z_][\w.:-]*)[ \t]*\([ \t]*\)/y;

/** A calculation that is no command's name to shells that take it for one command in brackets. */
const HARMLESS =
  /[ \t]*(?:(?:\+\+|--)[A-Za-z_]\w*|(?!(?:c|g|clang)\+)[A-Za-z_]\w*(?:\+\+|--|[-+%]?=-?\w+))[ \t]*\)\)/y;

const NAME = /[A-Za-z_]\w*(?=[ \t\n;])/y;

/** Reads one command of a pipeline. */
export function readCommand(reader: Reader, piped: boolean): void {
  const keyword = keywordHere(reader);
  if (keyword !== "" || peek(reader) === "(") {
    readBody(reader, keyword);
    return;
  }
  const definition = match(reader, FUNCTION);
  if (definition === null) readSimple(reader, piped);
  else {
    reader.at += definition[0].length;
    readFunctionBody(reader);
  }
}

function readBody(reader: Reader, keyword: string): void {
  const { runs } = reader.found;
  reader.found.runs = runs || keyword !== "function";
  nested(reader, () => {
    const read = BODIES[keyword] ?? unclear();
    read(reader);
  });
  skipBlanks(reader);
  while (readRedirect(reader, (redirect) => void reader.found.redirects.push(redirect))) {
    skipBlanks(reader);
  }
}

const BODIES: Readonly<Record<string, (reader: Reader) => void>> = {
  "": readSubshell,
  "{": (reader) => {
    take(reader, "{");
    block(reader, "}");
  },
  if: readIf,
  while: readLoop,
  until: readLoop,
  for: readFor,
  select: readFor,
  case: readCase,
  function: (reader) => {
    take(reader, "function");
    skipBlanks(reader);
    const name = match(reader, /[\w.:-]+(?:[ \t]*\([ \t]*\))?(?=[ \t\n])/y) ?? unclear();
    reader.at += name[0].length;
    readFunctionBody(reader);
  },
  "[[": readTest,
};

function readFunctionBody(reader: Reader): void {
  skipLines(reader);
  const keyword = keywordHere(reader);
  if (keyword !== "{" && keyword !== "if" && peek(reader) !== "(") unclear();
  readBody(reader, keyword);
}

function readSubshell(reader: Reader): void {
  if (sees(reader, "((")) {
    reader.at += 2;
    if (match(reader, HARMLESS) === null) unclear();
    calculate(reader, readDollar);
    return;
  }
  reader.at += 1;
  bracketed(reader, "subshell");
}

/** Takes a word that must stand here. */
function take(reader: Reader, word: string): void {
  if (keywordHere(reader) !== word) unclear();
  reader.at += word.length;
}

function block(reader: Reader, ...closers: string[]): string {
  reader.list(reader, { words: closers });
  const closer = keywordHere(reader);
  if (!closers.includes(closer)) unclear();
  reader.at += closer.length;
  return closer;
}

function readIf(reader: Reader): void {
  take(reader, "if");
  let closer = "elif";
  while (closer === "elif") {
    block(reader, "then");
    closer = block(reader, "elif", "else", "fi");
  }
  if (closer === "else") block(reader, "fi");
}

function readLoop(reader: Reader): void {
  reader.at += 5;
  block(reader, "do");
  block(reader, "done");
}

function readFor(reader: Reader): void {
  reader.at += keywordHere(reader).length;
  skipBlanks(reader);
  if (sees(reader, "((")) {
    reader.at += 2;
    calculate(reader, readDollar, true);
    skipBlanks(reader);
    if (peek(reader) === ";") reader.at += 1;
  } else {
    readForNames(reader);
    return;
  }
  skipLines(reader);
  take(reader, "do");
  block(reader, "done");
}

function readForNames(reader: Reader): void {
  const name = match(reader, NAME)?.[0] ?? unclear();
  reader.at += name.length;
  skipLines(reader);
  const values = keywordHere(reader) === "in" ? readForValues(reader) : null;
  skipBlanks(reader);
  if (peek(reader) === ";") reader.at += 1;
  skipLines(reader);
  const from = reader.at;
  const added = assign(reader, name, values);
  take(reader, "do");
  block(reader, "done");
  for (const assignment of added) assignment.to = reader.at;
  if (added.some((assignment) => assignment.from !== from)) unclear();
}

function readForValues(reader: Reader): readonly ShellWord[] {
  reader.at += 2;
  const values: ShellWord[] = [];
  for (skipBlanks(reader); ; skipBlanks(reader)) {
    const word = readWord(reader);
    if (word === null) return values;
    values.push(word);
    reader.found.words.push(word);
  }
}

function assign(reader: Reader, name: string, values: readonly ShellWord[] | null) {
  const range = { from: reader.at, to: reader.at };
  const added = (values ?? [null]).map((word) => ({
    name,
    word,
    numeric: word !== null && /^(?:-?\d+|\{\d+\.\.\d+\})$/.test(word.syntax),
    ...range,
  }));
  note(reader.found.assignments, ...added);
  return added;
}

function readCase(reader: Reader): void {
  take(reader, "case");
  skipBlanks(reader);
  reader.found.words.push(readWord(reader) ?? unclear());
  skipLines(reader);
  take(reader, "in");
  for (skipLines(reader); keywordHere(reader) !== "esac"; skipLines(reader)) {
    readCaseItem(reader);
  }
  reader.at += 4;
}

function readCaseItem(reader: Reader): void {
  if (peek(reader) === "(") reader.at += 1;
  for (;;) {
    skipBlanks(reader);
    reader.found.words.push(readWord(reader) ?? unclear());
    skipBlanks(reader);
    if (peek(reader) !== "|") break;
    reader.at += 1;
  }
  expectText(reader, ")");
  reader.list(reader, { words: ["esac"], caseItem: true });
  if (sees(reader, ";;&")) reader.at += 3;
  else if (sees(reader, ";;") || sees(reader, ";&")) reader.at += 2;
}

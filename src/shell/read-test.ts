import { keywordHere } from "./keywords.ts";
import { skipBlanks, skipLines } from "./read-redirect.ts";
import { readWord } from "./read-word.ts";
import {
  match,
  note,
  peek,
  type Reader,
  type ShellRedirect,
  type ShellWord,
  sees,
  unclear,
} from "./reader.ts";

const CALCULATING = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const DIRECTIONS: ReadonlyMap<string, "read" | "write"> = new Map([
  ["<", "read"],
  [">", "write"],
]);
const OPERATOR = /&&|\|\||[()]|[<>](?!\()/y;

/** Begins no name of a command: a test, its negation or a group. */
const HARMLESS = /-[A-Za-z](?=[ \t])|![ \t]+-[A-Za-z](?=[ \t])/y;

/**
 * Reads `[[ … ]]`, which is one command. To shells that do not know it, its operators are those of commands: what
 * would be a command of its own, or cut a line, must not stand behind them.
 */
export function readTest(reader: Reader): void {
  const start = reader.at;
  const { context } = reader;
  reader.at += 2;
  const words: ShellWord[] = [];
  const redirects: ShellRedirect[] = [];
  let before = "";
  for (skipBlanks(reader); keywordHere(reader) !== "]]"; skipBlanks(reader)) {
    const operator = match(reader, OPERATOR)?.[0];
    if (operator === undefined) {
      const target = readOperand(reader, words.at(-1)?.text === "=~");
      words.push(target);
      const direction = DIRECTIONS.get(before);
      if (direction !== undefined)
        redirects.push({ direction, target, given: null, end: target.end });
    } else takeOperator(reader, operator);
    before = operator ?? "";
  }
  reader.at += 2;
  if (words.some((word, i) => evaluates(words, word, i))) reader.found.hazard = true;
  const end = reader.at;
  const opening: ShellWord = {
    text: "[[",
    syntax: "[[",
    literal: true,
    expansions: [],
    elsewhere: null,
    start,
    end: start + 2,
  };
  note(reader.found.commands, {
    start,
    end,
    words: [opening, ...words],
    prefix: [],
    redirects,
    context,
    piped: false,
  });
  for (const name of calculated(words)) reader.found.calculated.add(name);
}

function readOperand(reader: Reader, isRegular: boolean): ShellWord {
  const word = readWord(reader, isRegular) ?? unclear();
  if (!isRegular) return word;
  if (/[;&<>]/.test(peek(reader)) && !sees(reader, "&&")) unclear();
  // Behind a bracket it is an error to other shells, and nothing of it is run.
  if (/^[^(]*\|/.test(word.syntax)) unclear();
  return word;
}

function takeOperator(reader: Reader, operator: string): void {
  reader.at += operator.length;
  if (operator === "&&" || operator === "||") {
    skipLines(reader);
    if (match(reader, HARMLESS) === null) unclear();
  }
}

/** Says whether an operand is looked at in a way that can run what a subscript in it holds. */
function evaluates(words: readonly ShellWord[], word: ShellWord, at: number): boolean {
  const before = words[at - 1]?.text ?? "";
  if (before === "-v" || before === "-R") return !/^\w+$/.test(word.text) || !word.literal;
  if (!isCalculated(words, at)) return false;
  const [only] = word.expansions;
  if (only === undefined) return !/^(?:-?\d+|[A-Za-z_]\w*)$/.test(word.text);
  return only.length !== word.text.length || (only.name === null && !only.numeric);
}

function isCalculated(words: readonly ShellWord[], at: number): boolean {
  return [words[at - 1], words[at + 1]].some((word) => CALCULATING.has(word?.text ?? ""));
}

function calculated(words: readonly ShellWord[]): readonly string[] {
  return words.flatMap((word, at) => {
    if (!isCalculated(words, at)) return [];
    const name = word.literal ? word.text : word.expansions[0]?.name;
    return name !== undefined && name !== null && /^[A-Za-z_]/.test(name) ? [name] : [];
  });
}

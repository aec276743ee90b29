import { keywordHere } from "./keywords.ts";
import { skipLines } from "./read-redirect.ts";
import { readWord } from "./read-word.ts";
import { match, note, peek, type Reader, type ShellWord, sees, unclear } from "./reader.ts";

const CALCULATING = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);
const OPERATOR = /&&|\|\||[()]|[<>](?!\()/y;

/** Reads `[[ … ]]`, which is one command. */
export function readTest(reader: Reader): void {
  const start = reader.at;
  const { context } = reader;
  reader.at += 2;
  const words: ShellWord[] = [];
  for (skipLines(reader); keywordHere(reader) !== "]]"; skipLines(reader)) {
    const operator = match(reader, OPERATOR)?.[0];
    if (operator !== undefined) {
      reader.at += operator.length;
      continue;
    }
    const isRegular = words.at(-1)?.text === "=~";
    words.push(readWord(reader, isRegular) ?? unclear());
    if (isRegular && /[;&<>]/.test(peek(reader)) && !sees(reader, "&&")) unclear();
  }
  reader.at += 2;
  if (words.some((word, i) => evaluates(words, word, i))) reader.found.hazard = true;
  const end = reader.at;
  const opening: ShellWord = {
    text: "[[",
    syntax: "[[",
    literal: true,
    expansions: [],
    start,
    end: start + 2,
  };
  note(reader.found.commands, {
    start,
    end,
    words: [opening, ...words],
    prefix: [],
    redirects: [],
    context,
    piped: false,
  });
  for (const name of calculated(words)) reader.found.calculated.add(name);
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

import { keywordHere } from "./keywords.ts";
import { readCommand } from "./read-compound.ts";
import { skipBlanks, skipLines, takeLineEnd } from "./read-redirect.ts";
import { type Closers, peek, type Reader, sees, unclear } from "./reader.ts";

/** Reads commands up to what closes them, which it does not take. */
export function readList(reader: Reader, closers: Closers): void {
  let isEmpty = true;
  for (skipLines(reader); !closes(reader, closers); skipLines(reader)) {
    readAndOr(reader);
    isEmpty = false;
    skipBlanks(reader);
    if (!takeSeparator(reader) && !closes(reader, closers)) unclear();
  }
  if (isEmpty && closers.caseItem !== true && reader.depth > 0) unclear();
}

function closes(reader: Reader, closers: Closers): boolean {
  const character = peek(reader);
  if (character === "") {
    if (closers.bracket === true || closers.words !== undefined) unclear();
    return true;
  }
  if (character === ")") return closers.bracket === true || unclear();
  if (closers.caseItem === true && (sees(reader, ";;") || sees(reader, ";&"))) return true;
  const keyword = keywordHere(reader);
  return closers.words?.includes(keyword) === true;
}

function takeSeparator(reader: Reader): boolean {
  const character = peek(reader);
  if (character === ";") {
    if (sees(reader, ";;") || sees(reader, ";&")) return false;
    reader.at += 1;
    return true;
  }
  if (character === "&") {
    reader.at += 1;
    return true;
  }
  return takeLineEnd(reader);
}

function readAndOr(reader: Reader): void {
  const first = reader.found.assignments.length;
  let isPlain = readPipeline(reader);
  for (skipBlanks(reader); sees(reader, "&&") || sees(reader, "||"); skipBlanks(reader)) {
    reader.at += 2;
    skipLines(reader);
    readPipeline(reader);
    isPlain = false;
  }
  // Only what is not conditional holds for all that follows.
  if (!isPlain || reader.depth > 0 || peek(reader) === "&") return;
  for (const assignment of reader.found.assignments.slice(first)) {
    if (assignment.to === assignment.from) assignment.to = Number.POSITIVE_INFINITY;
  }
}

function readPipeline(reader: Reader): boolean {
  let negations = 0;
  while (keywordHere(reader) === "!") {
    reader.at += 1;
    negations += 1;
    skipBlanks(reader);
  }
  const isSimple = keywordHere(reader) === "" && peek(reader) !== "(";
  const before = reader.found.commands.length;
  readCommand(reader, false);
  const isAlone = isSimple && reader.found.commands.length === before;
  skipBlanks(reader);
  let stages = 1;
  while (peek(reader) === "|" && !sees(reader, "||")) {
    reader.at += sees(reader, "|&") ? 2 : 1;
    skipLines(reader);
    readCommand(reader, true);
    skipBlanks(reader);
    stages += 1;
  }
  return stages === 1 && negations === 0 && isAlone;
}

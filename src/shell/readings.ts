import { isOverBudget } from "./floors.ts";
import { isReserved } from "./keywords.ts";
import { type KnownValues, knownValues } from "./known-values.ts";
import { cutAtOperators } from "./pieces.ts";
import { readPlain } from "./read-plain.ts";
import { readAnywhere, readShell } from "./read-shell.ts";
import { elsewhere, type Found, type ShellCommand, type ShellWord } from "./reader.ts";
import { rememberedByGrammar } from "./remembered.ts";
import { textOf, understand } from "./understand.ts";
import { splitWords, type Word } from "./words.ts";
import { baseName, isAssignment, takesProgram, unwrap } from "./wrappers.ts";

/** Most readings of one text that are judged. */
export const MAX_READINGS = 1000;

/** How deep wrappers are followed into each other. */
const MAX_DEPTH = 32;

/**
 * The other texts a command may be known by: its normal form (quotes resolved, blanks single, the command's
 * path cut to its base name) and the commands inside its wrappers; where it was not understood, also all
 * that it may hold. They may only tighten what the text as written allows. At most {@link MAX_READINGS}.
 */
export function otherReadings(text: string): readonly string[] {
  return rememberedReadings(text);
}

const rememberedReadings = rememberedByGrammar(readingsOf);

function readingsOf(text: string): readonly string[] {
  if (hasNone(text)) return [];
  const found = new Set<string>();
  collectWhole(text, found);
  found.delete(text);
  found.delete("");
  return [...found].slice(0, MAX_READINGS);
}

/** Says whether a text is one command as plain as its normal form, and no wrapper. */
function hasNone(text: string): boolean {
  if (isOverBudget(text)) return true;
  const words = readPlain(text)?.commands[0]?.words;
  return words !== undefined && words[0]?.text.includes("/") === false && unwrap(words) === null;
}

/** The command that really runs inside a wrapper; null when the text is no wrapper, hides it or is a list. */
export function commandInside(text: string): string | null {
  let inside: string | null = null;
  let words = simpleCommand(text);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const wrapper = unwrap(words);
    const command = wrapper?.commands[0];
    if (command !== undefined) {
      inside = joined(command);
      words = strip(command);
    } else if (wrapper !== null && wrapper.text !== null) {
      inside = wrapper.text;
      words = simpleCommand(inside);
    } else break;
  }
  return inside;
}

/** The words of a text that is one command; none of a list or of a text over the budget. */
function simpleCommand(text: string): readonly Word[] {
  if (isOverBudget(text)) return [];
  const found = readShell(text);
  if (found !== null) return found.commands.length === 1 ? (found.commands[0]?.words ?? []) : [];
  return cutAtOperators(text).length === 1 ? strip(splitWords(text)) : [];
}

function collectWhole(text: string, into: Set<string>): void {
  const understood = understand(text);
  if (typeof understood === "string") {
    collect(text, into, 0);
    collectPieces(text, into, 0);
    return;
  }
  const [first] = understood.commands;
  if (first === undefined || textOf(first, text) !== text) collect(text, into, 1);
  // What stands inside the one command is a unit of its own.
  else collectCommand(first, knownValues(understood), into, 0);
}

/** Collects every command that a text holds by our own reader, or whatever it may hold. */
function collect(text: string, into: Set<string>, depth: number): void {
  if (into.size > MAX_READINGS) return;
  const found: Found | null = readShell(text);
  if (found === null) {
    collectPieces(text, into, depth);
    return;
  }
  const known = knownValues(found);
  for (const command of found.commands) {
    if (depth > 0) into.add(text.slice(command.start, command.end));
    collectCommand(command, known, into, depth);
  }
}

function collectCommand(
  command: ShellCommand,
  known: KnownValues,
  into: Set<string>,
  depth: number,
): void {
  const { words, redirects } = command;
  collectWords(words, into, depth);
  if (words.some((word) => word.elsewhere !== null)) collectWords(elsewhere(words), into, depth);
  const chosen = choose(words, known);
  if (chosen !== null) collectWords(chosen, into, depth);
  if (depth >= MAX_DEPTH || !takesProgram(words)) return;
  for (const { given } of redirects) {
    if (given?.literal === true) collect(given.text, into, depth + 1);
  }
}

/** The words once braces are chosen from; null where there are none. */
function choose(words: readonly ShellWord[], known: KnownValues): readonly Word[] | null {
  if (!words.some(({ syntax }) => syntax.includes("{"))) return null;
  return words.flatMap((word): readonly Word[] => {
    const texts = word.literal ? known.textsOf(word) : null;
    if (texts === null) return [word];
    // An empty choice without quotes is no word.
    return texts.filter((text) => text !== "").map((text) => ({ text, literal: true }));
  });
}

function collectPieces(text: string, into: Set<string>, depth: number): void {
  for (const found of readAnywhere(text)) {
    const known = knownValues(found);
    for (const command of found.commands) collectCommand(command, known, into, depth + 1);
    if (into.size > MAX_READINGS) return;
  }
  for (const piece of cutAtOperators(text)) {
    if (into.size > MAX_READINGS) return;
    into.add(piece.text);
    const words = strip(splitWords(piece.text));
    collectWords(words, into, depth);
    if (piece.redirected) collectWords(strip(words.slice(1)), into, depth);
  }
}

function collectWords(words: readonly Word[], into: Set<string>, depth: number): void {
  into.add(joined(words));
  into.add(normalForm(words));
  if (depth >= MAX_DEPTH) return;
  const wrapper = unwrap(words);
  if (wrapper === null) return;
  for (const command of wrapper.commands) collectWords(strip(command), into, depth + 1);
  if (wrapper.text !== null) collect(wrapper.text, into, depth + 1);
}

function joined(words: readonly Word[]): string {
  return words.map((word) => word.text).join(" ");
}

/** Joins words into the one text that stands for them when rules are matched. */
function normalForm(words: readonly Word[]): string {
  return words.map(({ text }, i) => (i === 0 ? baseName(text) : text)).join(" ");
}

/** Leaves out reserved words and assignments before the command. */
export function strip(words: readonly Word[]): readonly Word[] {
  let at = 0;
  for (; at < words.length; at += 1) {
    const word = words[at]?.text ?? "";
    if (!isAssignment(word) && !isReserved(word)) break;
    // A co-process may have a name before its group.
    if (word === "coproc" && isReserved(words[at + 2]?.text ?? "")) at += 1;
  }
  return words.slice(at);
}

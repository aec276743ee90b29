import { isOverBudget } from "./floors.ts";
import { cutAtOperators } from "./pieces.ts";
import { splitWords, type Word } from "./words.ts";
import { baseName, isAssignment, unwrap } from "./wrappers.ts";

/** Most readings of one text that are judged. */
export const MAX_READINGS = 1000;

/** How deep wrappers are followed into each other. */
const MAX_DEPTH = 32;

const RESERVED = new Set(
  [
    "if",
    "then",
    "elif",
    "else",
    "fi",
    "while",
    "until",
    "do",
    "done",
    "!",
    "{",
    "}",
    "esac",
  ].concat(["for", "case", "select", "function", "[["]),
);

/** Says whether a word opens or joins a compound command. */
export function isReserved(word: string): boolean {
  return RESERVED.has(word);
}

/**
 * The other texts a command may be known by: its normal form (quotes resolved, blanks single, the command's
 * path cut to its base name), the commands inside its wrappers, and the pieces between its operators.
 * They may only tighten what the text as written allows. At most {@link MAX_READINGS}.
 */
export function otherReadings(text: string): readonly string[] {
  const found = new Set<string>();
  if (!isOverBudget(text)) collect(text, found, 0);
  found.delete(text);
  found.delete("");
  return [...found].slice(0, MAX_READINGS);
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
  const isOne = !isOverBudget(text) && cutAtOperators(text).length === 1;
  return isOne ? strip(splitWords(text)) : [];
}

function collect(text: string, found: Set<string>, depth: number): void {
  for (const piece of cutAtOperators(text)) {
    if (found.size > MAX_READINGS) return;
    found.add(piece.text);
    const words = strip(splitWords(piece.text));
    collectWords(words, found, depth);
    if (piece.redirected) collectWords(strip(words.slice(1)), found, depth);
  }
}

function collectWords(words: readonly Word[], found: Set<string>, depth: number): void {
  found.add(joined(words));
  found.add(normalForm(words));
  if (depth >= MAX_DEPTH) return;
  const wrapper = unwrap(words);
  if (wrapper === null) return;
  for (const command of wrapper.commands) collectWords(strip(command), found, depth + 1);
  if (wrapper.text !== null) collect(wrapper.text, found, depth + 1);
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
  }
  return words.slice(at);
}

import { isReserved } from "./keywords.ts";
import { DECLARING } from "./read-command.ts";
import type { Expansion, Found, ShellCommand, ShellWord } from "./reader.ts";

/** Words without any character that means something to a shell, one blank between each two. */
const PLAIN = /^[\w@%+:,./=-]+(?: [\w@%+:,./=-]+)*$/;

const NONE: readonly Expansion[] = [];

/**
 * Reads a text that is one command of plain words, as most are; null for every other, which the strict reader then
 * reads. Finds what that finds, without looking at each place of the text for everything that could begin there.
 */
export function readPlain(source: string): Found | null {
  if (!PLAIN.test(source)) return null;
  const words = wordsIn(source);
  if (isOfItsOwnKind(words[0]?.text ?? "")) return null;
  const command: ShellCommand = {
    start: 0,
    end: source.length,
    words,
    prefix: [],
    redirects: [],
    context: null,
    piped: false,
  };
  return {
    source,
    commands: [command],
    assignments: [],
    redirects: [],
    words: [],
    calculated: new Set(),
    hazard: false,
    runs: true,
  };
}

/** Says whether what begins with this word is more than a command and its words. */
function isOfItsOwnKind(first: string): boolean {
  return first.includes("=") || first === "time" || isReserved(first) || DECLARING.has(first);
}

function wordsIn(source: string): readonly ShellWord[] {
  const words: ShellWord[] = [];
  for (let start = 0, end = 0; start <= source.length; start = end + 1) {
    end = source.indexOf(" ", start);
    if (end < 0) end = source.length;
    const text = source.slice(start, end);
    words.push({
      text,
      syntax: text,
      expansions: NONE,
      literal: true,
      elsewhere: null,
      start,
      end,
    });
  }
  return words;
}

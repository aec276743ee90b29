import { isOverBudget, UNPARSEABLE_COMMAND, UNPARSED_SUBTREE } from "./floors.ts";
import { MAX_PATHS, pathsOf, type ShellPath } from "./path-tokens.ts";
import { isReserved, MAX_READINGS, otherReadings } from "./readings.ts";
import { splitWords } from "./words.ts";
import { isAssignment, unwrap } from "./wrappers.ts";

/** Where in a command a unit runs. */
export type ShellContext = "command_substitution" | "process_substitution" | "subshell";

/** One command unit as written, without leading assignments and redirects. */
export interface ShellUnit {
  readonly value: string;
  /** Sentinel that turns an allow into an ask; null when an allow may stand. */
  readonly floor: string | null;
  readonly context: ShellContext | null;
}

/** What a command text is made of. */
export interface ShellAnalysis {
  /** In source order; never empty. */
  readonly units: readonly ShellUnit[];
  readonly paths: readonly ShellPath[];
}

/** What makes a word more than its characters: operators, quotes, expansions, globs, comments. */
const NOT_PLAIN = /[|&;()<>$`\\"'*?[\]{}]|(?:^|[ \t])(?:#|~[^/ \t])|[=:]~/;

/** Control characters but the tab: line ends, and what no word can mean. */
const CONTROL = /(?!\t)\p{Cc}/u;

/**
 * Takes a command apart. A plain command is one unit with the floor of its wrapper; whatever needs a parser
 * is one unit of the whole text that no rule can allow.
 */
export function analyzeShell(command: string): ShellAnalysis {
  if (isOverBudget(command)) return { units: [wholeOf(command, UNPARSEABLE_COMMAND)], paths: [] };
  const paths = pathsOf(command);
  if (!NOT_PLAIN.test(command) && !CONTROL.test(command))
    return { units: [plainUnit(command)], paths };
  const isTooMuch = otherReadings(command).length >= MAX_READINGS || paths.length >= MAX_PATHS;
  return { units: [wholeOf(command, isTooMuch ? UNPARSEABLE_COMMAND : UNPARSED_SUBTREE)], paths };
}

function wholeOf(command: string, floor: string): ShellUnit {
  return { value: command, floor, context: null };
}

function plainUnit(command: string): ShellUnit {
  const words = splitWords(command);
  const at = Math.max(
    words.findIndex((word) => !isAssignment(word.text)),
    0,
  );
  const value = behindWords(command, at);
  if (isReserved(words[at]?.text ?? "")) return wholeOf(command, UNPARSED_SUBTREE);
  return { value, floor: unwrap(words.slice(at))?.floor ?? null, context: null };
}

/** The text behind the first `count` words, none of which is quoted. */
function behindWords(command: string, count: number): string {
  let rest = command.replace(/^[ \t]+/, "").replace(/(?<![ \t])[ \t]+$/, "");
  for (let i = 0; i < count; i += 1) {
    rest = rest.slice(rest.search(/[ \t]/)).replace(/^[ \t]+/, "");
  }
  return rest;
}

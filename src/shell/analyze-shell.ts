import { startsCode } from "./code-variables.ts";
import {
  INDIRECTION_WRAPPER,
  isOverBudget,
  UNPARSEABLE_COMMAND,
  UNPARSED_SUBTREE,
} from "./floors.ts";
import { type KnownValues, knownValues } from "./known-values.ts";
import { MAX_PATHS, pathsOf, type ShellPath } from "./path-tokens.ts";
import type { Found, ShellContext } from "./reader.ts";
import { MAX_READINGS, otherReadings } from "./readings.ts";
import { rememberedByGrammar } from "./remembered.ts";
import { textOf, understand } from "./understand.ts";
import { floorOf } from "./unit-floor.ts";

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

/**
 * Takes a command apart: its commands with the floors of their wrappers. Where any part was not understood,
 * it is one unit of the whole text that no rule can allow; so is all but plain commands as long as
 * {@link loadShell} did not load the grammar.
 */
export function analyzeShell(command: string): ShellAnalysis {
  return rememberedAnalysis(command);
}

const rememberedAnalysis = rememberedByGrammar(
  analyze,
  ({ units }) => units[0]?.floor !== UNPARSEABLE_COMMAND,
);

function analyze(command: string): ShellAnalysis {
  const understood = understand(command);
  if (understood === UNPARSEABLE_COMMAND) {
    // Want of time must not lose a path that a rule denies.
    const paths = isOverBudget(command) ? [] : pathsOf(command, null);
    return { units: wholeOf(command, understood), paths };
  }
  if (understood === UNPARSED_SUBTREE) return notUnderstood(command);
  const paths = pathsOf(command, understood);
  const units = unitsOf(command, understood);
  const isTooMuch = units.length >= MAX_READINGS || paths.length >= MAX_PATHS;
  return { units: isTooMuch ? wholeOf(command, UNPARSEABLE_COMMAND) : units, paths };
}

function notUnderstood(command: string): ShellAnalysis {
  const paths = pathsOf(command, null);
  const isTooMuch = otherReadings(command).length >= MAX_READINGS || paths.length >= MAX_PATHS;
  return { units: wholeOf(command, isTooMuch ? UNPARSEABLE_COMMAND : UNPARSED_SUBTREE), paths };
}

function unitsOf(command: string, found: Found): readonly ShellUnit[] {
  const known = knownValues(found);
  const isUnclear = evaluates(found, known) || hidesFile(found, known);
  const floor = isUnclear ? UNPARSED_SUBTREE : settingFloor(found);
  if (found.commands.length > 0) {
    return found.commands.map((one) => ({
      value: textOf(one, command),
      floor: floorOf(one, known) ?? floor,
      context: one.context,
    }));
  }
  return wholeOf(command, found.runs ? UNPARSEABLE_COMMAND : floor);
}

/** Text in a variable that is calculated with can hold a command. */
function evaluates({ hazard, calculated }: Found, known: KnownValues): boolean {
  return hazard || [...calculated].some((name) => !known.isNumber(name));
}

/** A file that only the run time knows is one that no gate can judge. */
function hidesFile({ redirects }: Found, known: KnownValues): boolean {
  return redirects.some(({ target }) => target !== null && known.textsOf(target) === null);
}

/** What is set alone may still be run by what follows in the same shell. */
function settingFloor({ assignments }: Found): string | null {
  return assignments.some(startsCode) ? INDIRECTION_WRAPPER : null;
}

function wholeOf(command: string, floor: string | null): readonly ShellUnit[] {
  return [{ value: command, floor, context: null }];
}

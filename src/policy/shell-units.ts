import type { AccessUnit } from "../ask/facts.ts";
import { otherReadings } from "../shell/readings.ts";
import { type Finding, findingOf, floored } from "./finding.ts";
import { INCOMPLETE_FACTS, MAX_JUDGED } from "./floors.ts";
import { expandHome, type PolicyContext } from "./pattern.ts";
import { type Ground, lastMatch, matchesAny, resolve, verdictOf } from "./resolve.ts";
import { isStricter, strictest } from "./strictness.ts";
import { SHELL_SURFACE } from "./surfaces.ts";

/** A unit with the other texts it may be known by. */
export interface ReadUnit {
  readonly unit: AccessUnit;
  readonly readings: readonly string[];
}

/** The units of a shell ask, read once for every set of rules they are judged by. */
export interface ShellUnits {
  readonly units: readonly ReadUnit[];
  /** Whether a unit says itself that facts are missing, or there is more than is judged. */
  readonly incomplete: boolean;
}

/** Reads each distinct unit; what is too much is left out and makes the whole incomplete. */
export function readUnits(given: readonly AccessUnit[], context: PolicyContext): ShellUnits {
  const units: ReadUnit[] = [];
  let left = MAX_JUDGED;
  for (const unit of distinct(given)) {
    const readings = left > 0 ? readingsOf(unit.value, context) : [];
    left -= readings.length + 1;
    if (units.length < MAX_JUDGED) units.push({ unit, readings: left < 0 ? [] : readings });
  }
  const incomplete = left < 0 || given.some((unit) => unit.floor === INCOMPLETE_FACTS);
  return { units, incomplete };
}

/** The first of each value and floor. */
function distinct(given: readonly AccessUnit[]): readonly AccessUnit[] {
  if (given.length < 2) return given;
  const plain = new Set<string>();
  const floored = new Set<string>();
  return given.filter(({ value, floor }) => {
    const seen = floor === null ? plain : floored;
    const key = floor === null ? value : `${String(floor.length)}:${floor}${value}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** A command typed from the home folder must meet the rules written from there, which are expanded. */
function readingsOf(text: string, context: PolicyContext): readonly string[] {
  const readings = otherReadings(text);
  const expanded = [text, ...readings]
    .map((reading) => expandHome(reading, context))
    .filter((reading) => reading !== text && !readings.includes(reading));
  return [...readings, ...expanded];
}

/** Judges every unit; the first of the most restrictive counts. Null when there is no unit. */
export function judgeUnits({ units }: ShellUnits, ground: Ground): Finding | null {
  const [first, ...others] = units.map((unit) => judgeUnit(unit, ground));
  return first === undefined ? null : strictest(first, ...others);
}

function judgeUnit({ unit, readings }: ReadUnit, ground: Ground): Finding {
  const { value, floor, context } = unit;
  const target = { surface: SHELL_SURFACE, values: [value] };
  const written = floored(findingOf(resolve(target, ground)), floor);
  const worst = written.state === "deny" ? written : tightened(written, value, readings, ground);
  return { ...worst, verdict: { ...worst.verdict, unit: { value, context } } };
}

/**
 * Lets the other readings of a text tighten its finding, each only by a rule that does not match the text
 * as written: a catch-all must not undo what a precise rule says of the text itself.
 */
function tightened(
  written: Finding,
  text: string,
  readings: readonly string[],
  ground: Ground,
): Finding {
  let worst = written;
  for (const reading of readings) {
    const rule = lastMatch({ surface: SHELL_SURFACE, values: [reading] }, ground);
    if (rule === null || !isStricter(rule.action, worst.state)) continue;
    if (matchesAny(rule, { surface: SHELL_SURFACE, values: [text] }, ground.context)) continue;
    worst = findingOf(verdictOf(rule));
  }
  return worst;
}

import type { AccessUnit } from "../ask/facts.ts";
import type { RuleAction, RuleVerdict } from "../ask/verdict.ts";
import { otherReadings } from "../shell/readings.ts";
import { type Ground, lastMatch, matchesAny, resolve, verdictOf } from "./resolve.ts";
import { isStricter, strictest } from "./strictness.ts";
import { SHELL_SURFACE } from "./surfaces.ts";

/** A verdict with the sentinel that turned an allow into its ask. */
export interface Finding {
  readonly state: RuleAction;
  readonly verdict: RuleVerdict;
  readonly floor: string | null;
}

/** Takes a verdict as it is. */
export function findingOf(verdict: RuleVerdict): Finding {
  return { state: verdict.state, verdict, floor: null };
}

/** Turns an allow into an ask that names the sentinel; never touches an ask or a deny. */
export function floored(finding: Finding, floor: string | null): Finding {
  if (floor === null || finding.state !== "allow") return finding;
  return {
    state: "ask",
    verdict: { ...finding.verdict, state: "ask", matchedPattern: floor },
    floor,
  };
}

/** Judges every unit of a shell command; the first of the most restrictive counts. */
export function judgeUnits(units: readonly AccessUnit[], ground: Ground): Finding | null {
  const [first, ...others] = distinct(units).map((unit) => judgeUnit(unit, ground));
  return first === undefined ? null : strictest(first, ...others);
}

function distinct(units: readonly AccessUnit[]): readonly AccessUnit[] {
  const seen = new Map<string, AccessUnit>();
  for (const unit of units) {
    const key = JSON.stringify([unit.value, unit.floor]);
    if (!seen.has(key)) seen.set(key, unit);
  }
  return [...seen.values()];
}

function judgeUnit(unit: AccessUnit, ground: Ground): Finding {
  const target = { surface: SHELL_SURFACE, values: [unit.value] };
  const written = floored(findingOf(resolve(target, ground)), unit.floor);
  const worst = tightened(written, unit.value, ground);
  const verdict = { ...worst.verdict, unit: { value: unit.value, context: unit.context } };
  return { ...worst, verdict };
}

/**
 * Lets the other readings of a text tighten its finding, each only by a rule that does not match the text
 * as written: a catch-all must not undo what a precise rule says of the text itself.
 */
function tightened(written: Finding, text: string, ground: Ground): Finding {
  let worst = written;
  if (worst.state === "deny") return worst;
  for (const reading of otherReadings(text)) {
    const rule = lastMatch({ surface: SHELL_SURFACE, values: [reading] }, ground);
    if (rule === null || !isStricter(rule.action, worst.state)) continue;
    if (matchesAny(rule, { surface: SHELL_SURFACE, values: [text] }, ground.context)) continue;
    worst = findingOf(verdictOf(rule));
  }
  return worst;
}

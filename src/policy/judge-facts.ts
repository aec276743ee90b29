import type { ForwardedAccessFacts } from "../ask/facts.ts";
import { type Finding, findingOf, floored, judgeUnits } from "./finding.ts";
import { INCOMPLETE_FACTS } from "./floors.ts";
import { type Ground, resolve } from "./resolve.ts";
import { SHELL_SURFACE } from "./surfaces.ts";

/** Judges one request's own facts by one set of rules, before any overlay. */
export function judgeFacts(facts: ForwardedAccessFacts, ground: Ground): Finding {
  const judged =
    facts.surface === SHELL_SURFACE && facts.units !== undefined
      ? judgeUnits(facts.units, ground)
      : null;
  return judged ?? judgeValues(facts, ground);
}

/** Judges the match values alone. Without any, a catch-all still asks or denies and nothing allows. */
export function judgeValues(facts: ForwardedAccessFacts, ground: Ground): Finding {
  const isEmpty = facts.matchValues.length === 0;
  const values = isEmpty ? [""] : facts.matchValues;
  const finding = findingOf(resolve({ surface: facts.surface, values }, ground));
  return floored(finding, isEmpty ? INCOMPLETE_FACTS : null);
}

/** Says whether facts lack what an allow needs. */
export function isIncomplete(facts: ForwardedAccessFacts): boolean {
  return (
    facts.matchValues.length === 0 ||
    (facts.units?.some((unit) => unit.floor === INCOMPLETE_FACTS) ?? false)
  );
}

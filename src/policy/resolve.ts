import type { Grant } from "../ask/grant.ts";
import type { RuleVerdict } from "../ask/verdict.ts";
import type { GrantMatcher } from "./grants.ts";
import { ambiguousOf, meansTarget } from "./mcp-names.ts";
import { foldsOn, type PolicyContext, subjectsOf } from "./pattern.ts";
import type { Rule } from "./rule.ts";
import type { RuleSet } from "./rules.ts";
import { isStricter, strictest } from "./strictness.ts";
import { membersOf, type Target } from "./surfaces.ts";
import type { Subject } from "./wildcard.ts";

/** The rules and grants that hold for one query. */
export interface Ground {
  readonly rules: RuleSet;
  readonly grants: readonly Grant[];
  readonly grantMatches: GrantMatcher;
  readonly context: PolicyContext;
}

/**
 * Judges the aliases of one thing: the last rule that matches any of them, and a grant over its ask.
 * A bare family is the stricter of its two directions.
 */
export function resolve(target: Target, ground: Ground): RuleVerdict {
  const [first, ...others] = membersOf(target.surface).map((surface) =>
    resolveMember({ surface, values: target.values }, ground),
  );
  const verdict = first === undefined ? resolveMember(target, ground) : strictest(first, ...others);
  return verdict.matchedPattern === null && verdict.origin !== "baseline"
    ? { ...verdict, surface: target.surface }
    : verdict;
}

/** Says whether a rule's pattern matches any of the values. */
export function matchesAny(rule: Rule, target: Target, context: PolicyContext): boolean {
  const folds = foldsOn(target.surface, context.platform);
  return subjectsOf(target.values, folds).some(rule.matcher(folds));
}

/** The last rule that matches any of the values, or null. */
export function lastMatch(target: Target, ground: Ground): Rule | null {
  const folds = foldsOn(target.surface, ground.context.platform);
  const subjects = subjectsOf(target.values, folds);
  return ground.rules.rulesFor(target.surface).last(subjects, folds);
}

/** Judges the aliases of one thing on one surface; of a bare family, on that name alone. */
export function resolveMember(target: Target, ground: Ground): RuleVerdict {
  const ambiguous = ambiguousOf(target);
  if (ambiguous.size === 0) return plain(target, ground);
  const clear = target.values.filter((value) => !ambiguous.has(value));
  const verdict = plain({ ...target, values: clear }, ground, target);
  const tightening = lastTightening({ ...target, values: [...ambiguous] }, clear, ground);
  return tightening !== null && isStricter(tightening.action, verdict.state)
    ? verdictOf(tightening)
    : verdict;
}

function lastTightening(target: Target, clear: readonly string[], ground: Ground): Rule | null {
  const hit = (rule: Rule, subjects: readonly Subject[]): boolean =>
    subjects.some(rule.matcher(false));
  const unclear = subjectsOf(target.values, false);
  const others = subjectsOf(clear, false);
  const found = ground.rules
    .rulesFor(target.surface)
    .rules.findLast((rule) => rule.action !== "allow" && hit(rule, unclear) && !hit(rule, others));
  return found ?? null;
}

/** Judges by values that are clear; `whole` is the target with all its spellings. */
function plain(target: Target, ground: Ground, whole = target): RuleVerdict {
  const last = lastMatch(target, ground);
  const rule =
    last === null || speaks(last, whole, ground) ? last : lastMeant(target, whole, ground);
  const verdict = rule === null ? fallbackVerdict(target.surface, ground.rules) : verdictOf(rule);
  if (verdict.state !== "ask") return verdict;
  const grant = ground.grants.findLast(
    (one) => ground.grantMatches(one, target) && meansTarget(one.pattern, whole, ground.context),
  );
  return grant === undefined ? verdict : grantVerdict(grant);
}

/** Says whether a rule that matches has a say: an allow only where it means the target. */
export function speaks(rule: Rule, target: Target, { context }: Ground): boolean {
  return rule.action !== "allow" || meansTarget(rule.pattern, target, context);
}

function lastMeant(target: Target, whole: Target, ground: Ground): Rule | null {
  const found = ground.rules
    .rulesFor(target.surface)
    .rules.findLast(
      (rule) => matchesAny(rule, target, ground.context) && speaks(rule, whole, ground),
    );
  return found ?? null;
}

/** The verdict a grant gives over an ask. */
export function grantVerdict(grant: Grant): RuleVerdict {
  return {
    state: "allow",
    surface: grant.surface,
    matchedPattern: grant.pattern,
    origin: "session",
    reason: null,
    grantId: grant.grantId,
  };
}

/** The verdict where no rule matches. */
export function fallbackVerdict(surface: string, { fallback }: RuleSet): RuleVerdict {
  const { action, origin, reason } = fallback;
  return { state: action, surface, matchedPattern: null, origin, reason };
}

/** The verdict a rule gives; a baseline rule is not the operator's, so its pattern is not reported. */
export function verdictOf(rule: Rule): RuleVerdict {
  return {
    state: rule.action,
    surface: rule.surface,
    matchedPattern: rule.origin === "baseline" ? null : rule.pattern,
    origin: rule.origin,
    reason: rule.reason,
  };
}

import type { Grant } from "../ask/grant.ts";
import type { RuleVerdict } from "../ask/verdict.ts";
import type { GrantMatcher } from "./grants.ts";
import { foldsOn, type PolicyContext, subjectsOf } from "./pattern.ts";
import type { Rule } from "./rule.ts";
import type { RuleSet } from "./rules.ts";
import { isStricter, strictest } from "./strictness.ts";
import { MCP_SURFACE, membersOf, type Target } from "./surfaces.ts";
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
  const ambiguous = target.surface === MCP_SURFACE ? ambiguousOf(target.values) : NONE;
  if (ambiguous.size === 0) return plain(target, ground);
  const clear = target.values.filter((value) => !ambiguous.has(value));
  const verdict = plain({ ...target, values: clear }, ground);
  const tightening = lastTightening({ ...target, values: [...ambiguous] }, clear, ground);
  return tightening !== null && isStricter(tightening.action, verdict.state)
    ? verdictOf(tightening)
    : verdict;
}

const NONE: ReadonlySet<string> = new Set();

/** Spellings that another alias has but for one colon: tools of several servers share them. */
function ambiguousOf(values: readonly string[]): ReadonlySet<string> {
  return new Set(values.filter((value) => values.some((other) => losesOneColon(other, value))));
}

function losesOneColon(qualified: string, value: string): boolean {
  if (qualified.length !== value.length) return false;
  let at = 0;
  while (at < value.length && qualified[at] === value[at]) at += 1;
  return (
    qualified[at] === ":" && value[at] === "_" && qualified.slice(at + 1) === value.slice(at + 1)
  );
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

function plain(target: Target, ground: Ground): RuleVerdict {
  const rule = lastMatch(target, ground);
  const verdict = rule === null ? fallbackVerdict(target.surface, ground.rules) : verdictOf(rule);
  return verdict.state === "ask" ? grantedOver(verdict, target, ground) : verdict;
}

function grantedOver(verdict: RuleVerdict, target: Target, ground: Ground): RuleVerdict {
  const grant = ground.grants.findLast((one) => ground.grantMatches(one, target));
  return grant === undefined ? verdict : grantVerdict(grant);
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

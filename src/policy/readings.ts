import type { AccessPath } from "../ask/facts.ts";
import type { RuleVerdict } from "../ask/verdict.ts";
import { counts, type Evidence, targetOf } from "./evidence.ts";
import type { Reading, Voice } from "./explanation.ts";
import { findingOf } from "./finding.ts";
import { meansTarget } from "./mcp-names.ts";
import {
  fallbackVerdict,
  type Ground,
  grantVerdict,
  lastMatch,
  matchesAny,
  resolve,
  resolveMember,
  speaks,
  verdictOf,
} from "./resolve.ts";
import type { Rule } from "./rule.ts";
import type { ReadUnit } from "./shell-units.ts";
import { isStricter } from "./strictness.ts";
import { membersOf, SHELL_SURFACE, type Target } from "./surfaces.ts";

/** A reading of which nobody has said yet whether it won. */
export type GivenReading = Omit<Reading, "wins">;

/** What the request itself is judged by: its units, or the names it is known by. */
export function mainReadings(evidence: Evidence, ground: Ground): readonly GivenReading[] {
  const units = evidence.shell?.units ?? [];
  if (units.length > 0) return units.flatMap((unit) => unitReadings(unit, ground));
  return byMember("value", evidence.facts, { ground, counts: true });
}

/** The paths that a forwarded ask brings beside itself. */
export function pathReadings({ paths, facts }: Evidence, ground: Ground): readonly GivenReading[] {
  return paths.flatMap((path) => {
    const finding = findingOf(resolve(targetOf(path), ground));
    return byMember("path", path, { ground, counts: counts(path, finding, facts.surface) });
  });
}

function byMember(
  kind: Reading["kind"],
  path: Pick<AccessPath, "surface" | "matchValues">,
  { ground, counts: mayDecide }: { readonly ground: Ground; readonly counts: boolean },
): readonly GivenReading[] {
  const { values } = targetOf(path);
  return membersOf(path.surface).map((surface) => {
    const target = { surface, values };
    const verdict = resolveMember(target, ground);
    return {
      kind,
      agent: ground.rules.agent,
      ...target,
      floor: null,
      voices: voicesOn(target, verdict, ground),
      state: verdict.state,
      counts: mayDecide,
    };
  });
}

function unitReadings({ unit, readings }: ReadUnit, ground: Ground): readonly GivenReading[] {
  const target = { surface: SHELL_SURFACE, values: [unit.value] };
  const verdict = resolveMember(target, ground);
  const isFloored = unit.floor !== null && verdict.state === "allow";
  const written: GivenReading = {
    kind: "unit",
    agent: ground.rules.agent,
    ...target,
    floor: unit.floor,
    voices: voicesOn(target, verdict, ground),
    state: isFloored ? "ask" : verdict.state,
    counts: true,
  };
  const others = readings.flatMap((reading) => otherReading(reading, written, ground));
  return [written, ...others];
}

/** Another form of a unit, if any rule speaks of it. */
function otherReading(
  text: string,
  written: GivenReading,
  ground: Ground,
): readonly GivenReading[] {
  const target = { surface: SHELL_SURFACE, values: [text] };
  const rule = lastMatch(target, ground);
  if (rule === null) return [];
  const isNew = !matchesAny(rule, { ...target, values: written.values }, ground.context);
  return [
    {
      ...written,
      kind: "reading",
      values: [text],
      floor: null,
      voices: matching(target, ground).map((one) => ruleVoice(one, one === rule)),
      state: rule.action,
      counts: isNew && isStricter(rule.action, written.state),
    },
  ];
}

/** Everything that has a say on a target, from lowest to highest. */
function voicesOn(target: Target, verdict: RuleVerdict, ground: Ground): readonly Voice[] {
  const fallback = fallbackVerdict(target.surface, ground.rules);
  const all: Omit<Voice, "decides">[] = [
    { from: "default", pattern: null, verdict: fallback },
    ...matching(target, ground).map((rule) => ruleVoice(rule, false)),
    ...ground.grants
      .filter((grant) => ground.grantMatches(grant, target))
      .filter(({ pattern }) => meansTarget(pattern, target, ground.context))
      .map((grant) => ({
        from: "grant" as const,
        pattern: grant.pattern,
        verdict: grantVerdict(grant),
      })),
  ];
  const decides = all.findLastIndex((voice) => isSame(voice.verdict, verdict));
  return all.map((voice, place) => ({ ...voice, decides: place === decides }));
}

function ruleVoice(rule: Rule, decides: boolean): Voice {
  return { from: "rule", pattern: rule.pattern, verdict: verdictOf(rule), decides };
}

function matching(target: Target, ground: Ground): readonly Rule[] {
  const { rules, context } = ground;
  return rules
    .rulesFor(target.surface)
    .rules.filter((rule) => matchesAny(rule, target, context) && speaks(rule, target, ground));
}

function isSame(a: RuleVerdict, b: RuleVerdict): boolean {
  return (
    a.state === b.state &&
    a.origin === b.origin &&
    a.surface === b.surface &&
    a.matchedPattern === b.matchedPattern &&
    a.grantId === b.grantId
  );
}

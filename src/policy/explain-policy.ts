import type { Grant } from "../ask/grant.ts";
import type { RuleAction } from "../ask/verdict.ts";
import { composePolicy } from "./compose-policy.ts";
import { type Evidence, forwardedEvidence, ownEvidence } from "./evidence.ts";
import type { Explainer, Explanation } from "./explanation.ts";
import { INCOMPLETE_FACTS } from "./floors.ts";
import { grantMatcher } from "./grants.ts";
import { overlaysOf } from "./overlays.ts";
import type { PolicyContext } from "./pattern.ts";
import { type GivenReading, mainReadings, pathReadings } from "./readings.ts";
import { composeRuleSets, type Sets } from "./rule-sets.ts";
import type { PolicySources } from "./sources.ts";
import { isStricter, strictest } from "./strictness.ts";

/** Composes the same rules as `composePolicy`, to say how they come to their verdicts. */
export function explainPolicy(sources: PolicySources, context: PolicyContext): Explainer {
  const policy = composePolicy(sources, context);
  const ruleSets = composeRuleSets(sources, context);
  const overlays = overlaysOf(sources);
  const grantMatches = grantMatcher(context);
  const read = (
    sets: Sets,
    evidence: Evidence,
    grants: readonly Grant[],
  ): Omit<Explanation<never>, "verdict"> => {
    const looks = sets.map((rules) => look(evidence, { rules, grants, grantMatches, context }));
    const [first, ...others] = looks;
    const won = first === undefined ? undefined : strictest(first, ...others);
    const state = won?.state ?? "ask";
    return {
      readings: looks.flatMap(({ readings, winner }) =>
        readings.map((reading) => ({
          ...reading,
          wins: reading === winner && winner === won?.winner,
        })),
      ),
      floor: won?.floor ?? null,
      overlays: laidOver(state, overlays, evidence.incomplete),
    };
  };
  return {
    explain: (query) => ({
      verdict: policy.judge(query),
      ...read(ruleSets.of(query.agent), ownEvidence(query.facts, context), query.grants),
    }),
    explainForwarded: (query) => ({
      verdict: policy.judgeForwarded(query),
      ...read(
        ruleSets.ofClaim(query.intent, query.attestedAgent),
        forwardedEvidence(query.intent, context),
        query.grants,
      ),
    }),
  };
}

/** What one set of rules makes of the evidence. */
interface Look {
  readonly readings: readonly GivenReading[];
  readonly winner: GivenReading | undefined;
  readonly state: RuleAction;
  readonly floor: string | null;
}

function look(evidence: Evidence, ground: Parameters<typeof mainReadings>[1]): Look {
  const main = mainReadings(evidence, ground);
  const paths = pathReadings(evidence, ground);
  const best = strictestOf(main);
  const floor = evidence.incomplete && best?.state === "allow" ? INCOMPLETE_FACTS : null;
  const state = floor === null ? (best?.state ?? "ask") : "ask";
  const path = strictestOf(paths);
  const readings = [...main, ...paths];
  return path !== undefined && isStricter(path.state, state)
    ? { readings, winner: path, state: path.state, floor: null }
    : { readings, winner: best, state, floor };
}

function strictestOf(readings: readonly GivenReading[]): GivenReading | undefined {
  const [first, ...others] = readings.filter(({ counts }) => counts);
  return first === undefined ? undefined : strictest(first, ...others);
}

function laidOver(
  state: RuleAction,
  { failClosed, yolo }: ReturnType<typeof overlaysOf>,
  incomplete: boolean,
): Explanation<never>["overlays"] {
  const closed = failClosed && state === "allow";
  const opened = yolo && !incomplete && (state === "ask" || closed);
  return [...(closed ? (["fail-closed"] as const) : []), ...(opened ? (["yolo"] as const) : [])];
}

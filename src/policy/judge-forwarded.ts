import type { AccessPath, AccessUnit, ForwardedAccessFacts } from "../ask/facts.ts";
import type { ForwardedVerdict } from "../ask/verdict.ts";
import { analyzeShell } from "../shell/analyze-shell.ts";
import { PARSE_BUDGET_BYTES } from "../shell/floors.ts";
import { deciderOf } from "./decider.ts";
import { type Finding, findingOf, floored, judgeUnits } from "./finding.ts";
import { INCOMPLETE_FACTS, MAX_JUDGED } from "./floors.ts";
import { judgeValues } from "./judge-facts.ts";
import { type Ground, resolve } from "./resolve.ts";
import { strictest } from "./strictness.ts";
import { SHELL_SURFACE } from "./surfaces.ts";

/** The answer where the rules have nothing to judge. */
export const UNDECIDED: ForwardedVerdict = {
  verdict: "ask",
  decidedBy: null,
  floor: null,
  denialReason: null,
};

/** What a forwarded ask is judged by: what the child states, and what this node reads out of it. */
export interface Evidence {
  readonly facts: ForwardedAccessFacts;
  /** Given and derived units of a shell ask; null for every other ask. */
  readonly units: readonly AccessUnit[] | null;
  readonly paths: readonly AccessPath[];
  /** Whether something is missing, so that neither a rule nor yolo may allow. */
  readonly incomplete: boolean;
}

/** Reads the facts of a forwarded ask once, for every set of rules it is judged by. */
export function readEvidence(facts: ForwardedAccessFacts): Evidence {
  const paths = facts.paths ?? [];
  const shell = facts.surface === SHELL_SURFACE ? readUnits(facts) : null;
  return {
    facts,
    units: shell?.units ?? null,
    paths: paths.slice(0, MAX_JUDGED),
    incomplete:
      facts.matchValues.length === 0 || paths.length > MAX_JUDGED || shell?.incomplete === true,
  };
}

/** Judges a forwarded ask by one set of rules, before any overlay. */
export function judgeEvidence(evidence: Evidence, ground: Ground): Finding {
  const judged =
    evidence.units === null ? null : judgeUnits(evidence.units.slice(0, MAX_JUDGED), ground);
  const main = judged ?? judgeValues(evidence.facts, ground);
  const own = floored(main, evidence.incomplete ? INCOMPLETE_FACTS : null);
  const counting = evidence.paths
    .map((path) => findingOf(resolve({ surface: path.surface, values: path.matchValues }, ground)))
    .filter(({ state, verdict }) => state === "deny" || verdict.matchedPattern !== null);
  return strictest(own, ...counting);
}

/** The answer to a child, as the overlays left it. */
export function forwardedVerdict({ state, verdict, floor }: Finding): ForwardedVerdict {
  return {
    verdict: state,
    decidedBy: state === "ask" ? null : deciderOf(verdict),
    floor: state === "ask" ? floor : null,
    denialReason: state === "deny" ? verdict.reason : null,
  };
}

function readUnits(facts: ForwardedAccessFacts): {
  units: readonly AccessUnit[];
  incomplete: boolean;
} {
  const given = facts.units ?? [];
  const written = facts.matchValues.map((value) => ({ value, floor: null, context: null }));
  const texts = new Set([...given, ...written].map((unit) => unit.value));
  const bytes = [...texts].reduce((sum, text) => sum + Buffer.byteLength(text, "utf8"), 0);
  if (bytes > PARSE_BUDGET_BYTES) return { units: [...given, ...written], incomplete: true };
  const derived = [...texts].flatMap((text) => analyzeShell(text).units);
  const units = [...given, ...derived];
  const incomplete =
    given.length === 0 ||
    units.length > MAX_JUDGED ||
    given.some((unit) => unit.floor === INCOMPLETE_FACTS);
  return { units, incomplete };
}

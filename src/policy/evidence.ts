import type { AccessPath, AccessUnit, ForwardedAccessFacts } from "../ask/facts.ts";
import { analyzeShell } from "../shell/analyze-shell.ts";
import { PARSE_BUDGET_BYTES } from "../shell/floors.ts";
import { type Finding, findingOf, floored } from "./finding.ts";
import { INCOMPLETE_FACTS, MAX_ALIASES, MAX_JUDGED } from "./floors.ts";
import type { PolicyContext } from "./pattern.ts";
import { type Ground, resolve } from "./resolve.ts";
import { judgeUnits, readUnits, type ShellUnits } from "./shell-units.ts";
import { strictest } from "./strictness.ts";
import { isExternal, SHELL_SURFACE, type Target } from "./surfaces.ts";

/** What one question is judged by, read once for every set of rules. */
export interface Evidence {
  readonly facts: ForwardedAccessFacts;
  /** Null for every ask that is not of the shell, and where its units are not known. */
  readonly shell: ShellUnits | null;
  /** Paths that count beside the facts' own surface. */
  readonly paths: readonly AccessPath[];
  /** Whether something is missing, so that neither a rule nor yolo may allow. */
  readonly incomplete: boolean;
}

/** Takes the facts of a request of this machine as its gates made them: each gate asks for itself. */
export function ownEvidence(facts: ForwardedAccessFacts, context: PolicyContext): Evidence {
  const isShell = facts.surface === SHELL_SURFACE && facts.units !== undefined;
  const shell = isShell ? readUnits(facts.units, context) : null;
  return { facts, shell, paths: [], incomplete: !isNamed(facts) || shell?.incomplete === true };
}

/** Takes the facts of a forwarded ask: what the child states, and what this node reads out of it. */
export function forwardedEvidence(facts: ForwardedAccessFacts, context: PolicyContext): Evidence {
  const paths = facts.paths ?? [];
  const shell = facts.surface === SHELL_SURFACE ? readForwarded(facts, context) : null;
  const isWhole = [facts, ...paths].every(isNamed) && paths.length <= MAX_JUDGED;
  const incomplete = !isWhole || shell?.incomplete === true;
  return { facts, shell, paths: paths.slice(0, MAX_JUDGED), incomplete };
}

/** Nothing can be allowed that has no name, or more names than any honest gate gives. */
function isNamed({ matchValues }: Pick<AccessPath, "matchValues">): boolean {
  return matchValues.length > 0 && matchValues.length <= MAX_ALIASES;
}

/** Judges by one set of rules, before any overlay. */
export function judgeEvidence(evidence: Evidence, ground: Ground): Finding {
  const { facts, paths, incomplete } = evidence;
  const main = judgeMain(evidence, ground);
  const counting = paths
    .map((path) => ({ path, finding: judgeValues(path, ground) }))
    .filter(({ path, finding }) => counts(path, finding, facts.surface))
    .map(({ finding }) => finding);
  return strictest(floored(main, incomplete ? INCOMPLETE_FACTS : null), ...counting);
}

/** Judges what the ask itself is about. Where no units came, the text as written can still deny beside its own. */
function judgeMain({ facts, shell }: Evidence, ground: Ground): Finding {
  const read = shell === null ? null : judgeUnits(shell, ground);
  if (read !== null && (facts.units ?? []).length > 0) return read;
  const written = judgeValues(facts, ground);
  return read === null || written.state === "deny" ? strictest(read ?? written, written) : read;
}

/**
 * A path counts beside the ask's own surface when a rule denies it or asks for it. An ask to leave the working
 * directory is one for all outside paths of its command: there the default's ask counts too.
 */
export function counts(path: AccessPath, { state, verdict }: Finding, surface: string): boolean {
  if (state === "deny" || verdict.matchedPattern !== null) return true;
  return isExternal(surface) && isExternal(path.surface);
}

function judgeValues(path: AccessPath, ground: Ground): Finding {
  return findingOf(resolve(targetOf(path), ground));
}

/** Without any match value only a catch-all matches, so that it still asks or denies. */
export function targetOf({
  surface,
  matchValues,
}: Pick<AccessPath, "surface" | "matchValues">): Target {
  return { surface, values: matchValues.length === 0 ? [""] : matchValues.slice(0, MAX_ALIASES) };
}

function readForwarded(facts: ForwardedAccessFacts, context: PolicyContext): ShellUnits {
  const given = facts.units ?? [];
  const written: AccessUnit[] = facts.matchValues.map(unitOf);
  const texts = new Set([...given, ...written].map((unit) => unit.value));
  const bytes = [...texts].reduce((sum, text) => sum + Buffer.byteLength(text, "utf8"), 0);
  if (bytes > PARSE_BUDGET_BYTES) {
    // Too much to take apart: the texts as written can still deny.
    const units = [...given, ...written].map((unit) => ({ unit, readings: [] }));
    return { units: units.slice(0, MAX_JUDGED), incomplete: true };
  }
  const derived = [...texts].flatMap((text) => analyzeShell(text).units);
  const read = readUnits([...given, ...derived], context);
  return { units: read.units, incomplete: read.incomplete || given.length === 0 };
}

function unitOf(value: string): AccessUnit {
  return { value, floor: null, context: null };
}

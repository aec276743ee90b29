import type { Grant } from "../ask/grant.ts";
import { compileRulePattern, foldsOn, type PolicyContext, subjectsOf } from "./pattern.ts";
import { familyOf, type Target } from "./surfaces.ts";
import type { Matcher } from "./wildcard.ts";

/** Says whether a grant covers a target. */
export type GrantMatcher = (grant: Grant, target: Target) => boolean;

/** Grant patterns kept compiled. */
const REMEMBERED_PATTERNS = 1024;

/**
 * Makes the matcher of grants. A grant covers its own surface, taken literally: what is written in it came
 * with an ask, and must not reach other surfaces by a wildcard. On path surfaces it covers the direction
 * it names, or both when it is of the family.
 */
export function grantMatcher(context: PolicyContext): GrantMatcher {
  const known = new Map<string, (folds: boolean) => Matcher>();
  const compiled = (pattern: string): ((folds: boolean) => Matcher) => {
    const remembered = known.get(pattern);
    if (remembered !== undefined) return remembered;
    if (known.size >= REMEMBERED_PATTERNS) known.clear();
    const made = compileRulePattern(pattern, context);
    known.set(pattern, made);
    return made;
  };
  return (grant, { surface, values }) => {
    if (!coversSurface(grant, surface)) return false;
    const folds = foldsOn(surface, context.platform);
    return subjectsOf(values, folds).some(compiled(grant.pattern)(folds));
  };
}

function coversSurface(grant: Grant, surface: string): boolean {
  if (grant.surface === surface) return true;
  const family = familyOf(surface);
  if (family === null) return false;
  return (
    grant.surface === family || (grant.width === "family" && familyOf(grant.surface) === family)
  );
}

import { isPathSurface } from "./surfaces.ts";
import { compilePattern, type Matcher, type Subject, subjectOf } from "./wildcard.ts";

/** The machine whose rules are composed. */
export interface PolicyContext {
  /** Home folder that `~`, `$HOME` and `${HOME}` stand for. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
}

const HOME_WORDS = ["~", "$HOME", "${HOME}"];

/** Says whether texts on this surface are compared without regard to case and kind of separator. */
export function foldsOn(surface: string, platform: NodeJS.Platform): boolean {
  return platform === "win32" && isPathSurface(surface);
}

/** Prepares match values for a surface that folds or does not. */
export function subjectsOf(values: readonly string[], folds: boolean): readonly Subject[] {
  const distinct = values.length < 2 ? values : [...new Set(values)];
  return distinct.map((value) => subjectOf(folds ? fold(value) : value));
}

/** Compiles the pattern of a rule as its machine reads it; the folded form is made when first needed. */
export function compileRulePattern(
  pattern: string,
  context: PolicyContext,
): (folds: boolean) => Matcher {
  const expanded = expandHome(pattern, context);
  const plain = compilePattern(expanded);
  let folded: Matcher | undefined;
  return (folds) => {
    if (!folds) return plain;
    folded ??= compilePattern(fold(expanded));
    return folded;
  };
}

/** Says whether one pattern matches one value on a surface. */
export function patternMatches(
  pattern: string,
  value: string,
  where: PolicyContext & { readonly surface: string },
): boolean {
  const folds = foldsOn(where.surface, where.platform);
  const matcher = compileRulePattern(pattern, where)(folds);
  return subjectsOf([value], folds).some(matcher);
}

/** Replaces a home word that is the whole first segment of a pattern. */
export function expandHome(pattern: string, { home, platform }: PolicyContext): string {
  for (const word of HOME_WORDS) {
    if (!pattern.startsWith(word)) continue;
    const next = pattern[word.length];
    const ends = next === undefined || next === "/" || (platform === "win32" && next === "\\");
    if (ends) return home + pattern.slice(word.length);
  }
  return pattern;
}

function fold(text: string): string {
  return text.replaceAll("\\", "/").toLowerCase();
}

import type { Rule } from "./rule.ts";
import type { Subject } from "./wildcard.ts";

/** The rules that concern one surface, from lowest to highest. */
export interface RuleIndex {
  readonly rules: readonly Rule[];
  /** The highest rule that matches any of the subjects, or null. */
  last(subjects: readonly Subject[], folds: boolean): Rule | null;
}

interface Placed {
  readonly rule: Rule;
  readonly place: number;
}

/**
 * Orders rules by the first word that a text must have to match them, so that of many rules only those of
 * the same command are tried. A rule whose first word is open is tried on every text.
 */
export function indexRules(rules: readonly Rule[]): RuleIndex {
  const byWord = new Map<string, Placed[]>();
  const open: Placed[] = [];
  rules.forEach((rule, place) => {
    const word = wordOf(rule);
    const list = word === null ? open : (byWord.get(word) ?? []);
    list.push({ rule, place });
    if (word !== null) byWord.set(word, list);
  });
  return {
    rules,
    last: (subjects, folds) => {
      if (folds) return rules.findLast((rule) => subjects.some(rule.matcher(true))) ?? null;
      let best: Placed | null = null;
      for (const subject of subjects) {
        const own = byWord.get(firstWord(subject.text)) ?? [];
        best = lastIn(own, subject, lastIn(open, subject, best));
      }
      return best?.rule ?? null;
    },
  };
}

function lastIn(list: readonly Placed[], subject: Subject, best: Placed | null): Placed | null {
  for (let at = list.length - 1; at >= 0; at -= 1) {
    const placed = list[at];
    if (placed === undefined || placed.place <= (best?.place ?? -1)) break;
    if (placed.rule.matcher(false)(subject)) return placed;
  }
  return best;
}

/** The first word of every text that the rule matches; null when its pattern leaves it open. */
function wordOf({ head, isLiteral }: Rule): string | null {
  return isLiteral || head.includes(" ") ? firstWord(head) : null;
}

function firstWord(text: string): string {
  const blank = text.indexOf(" ");
  return blank < 0 ? text : text.slice(0, blank);
}

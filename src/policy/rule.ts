import type { RuleAction, RuleOrigin } from "../ask/verdict.ts";
import { compileRulePattern, expandHome, type PolicyContext } from "./pattern.ts";
import type { Matcher } from "./wildcard.ts";

/** One rule as the configuration writes it. */
export interface WrittenRule {
  /** A pattern too. */
  readonly surface: string;
  readonly pattern: string;
  readonly action: RuleAction;
  readonly reason: string | null;
  readonly origin: RuleOrigin;
}

/** One rule, ready to match. */
export interface Rule extends WrittenRule {
  /** What every text it matches begins with, but for a blank at its end. */
  readonly head: string;
  /** Whether it matches exactly its head. */
  readonly isLiteral: boolean;
  /** The compiled pattern, for a surface that folds or does not. */
  readonly matcher: (folds: boolean) => Matcher;
}

/** Makes a rule ready. */
export function ruleOf(rule: WrittenRule, context: PolicyContext): Rule {
  const expanded = expandHome(rule.pattern, context);
  const open = expanded.search(/[*?]/);
  return {
    ...rule,
    head: open < 0 ? expanded : expanded.slice(0, open),
    isLiteral: open < 0,
    matcher: compileRulePattern(rule.pattern, context),
  };
}

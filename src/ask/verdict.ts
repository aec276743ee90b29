import type { DecisionSource } from "./decision.ts";
import type { CommandContext } from "./payload.ts";

/** What a rule says of a call. */
export type RuleAction = "allow" | "ask" | "deny";

/** Where the deciding rule came from. */
export type RuleOrigin =
  | "global"
  | "project"
  | "agent"
  | "project-agent"
  | "builtin"
  | "baseline"
  | "session"
  | "yolo"
  | "fail-closed";

/** The answer of the rules to one query, with the rule that gave it. */
export interface RuleVerdict {
  readonly state: RuleAction;
  /** Surface of the rule that decided, as the rule writes it; the queried surface when none matched. */
  readonly surface: string;
  /** The rule's pattern or a floor sentinel; null when only the universal default fired. */
  readonly matchedPattern: string | null;
  readonly origin: RuleOrigin;
  /** The reason a deny rule gives; null when it gives none. */
  readonly reason: string | null;
  /** With origin `session`: the grant that allowed. */
  readonly grantId?: string;
  /** The unit of a shell ask that decided, and where it runs; absent for other surfaces. */
  readonly unit?: { readonly value: string; readonly context: CommandContext | null };
}

/** How the serving node's own rules judge a forwarded ask. */
export interface ForwardedVerdict {
  readonly verdict: RuleAction;
  /** Null when the verdict is `ask`: nobody has decided yet. */
  readonly decidedBy: DecisionSource | null;
  /** The sentinel that turned an allow into this ask, else null. */
  readonly floor: string | null;
  /** The reason of the rule that denied, else null. */
  readonly denialReason: string | null;
}

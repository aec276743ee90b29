import type { ForwardedAccessIntent } from "../ask/facts.ts";
import type { Grant } from "../ask/grant.ts";
import type { ForwardedVerdict, RuleAction, RuleVerdict } from "../ask/verdict.ts";
import type { PolicyQuery } from "./policy.ts";

/** The universal default, a rule or a grant that has a say on one reading. */
export interface Voice {
  readonly from: "default" | "rule" | "grant";
  /** Pattern as it is written; null for the default. */
  readonly pattern: string | null;
  /** What it says if it decides. */
  readonly verdict: RuleVerdict;
  /** Whether it decides its reading; at most one of a reading does. */
  readonly decides: boolean;
}

/** One text or thing that rules were matched against. */
export interface Reading {
  /**
   * `value`: the request itself by its names; `unit`: a command unit as written; `reading`: another form of the unit
   * before it, which may only tighten; `path`: a path that counts beside the request.
   */
  readonly kind: "value" | "unit" | "reading" | "path";
  /** The agent whose rules are read; null: everybody's. */
  readonly agent: string | null;
  readonly surface: string;
  readonly values: readonly string[];
  /** The sentinel that turns its allow into an ask; null when it has none. */
  readonly floor: string | null;
  /** From lowest to highest: the last counts, but a grant only over an ask. */
  readonly voices: readonly Voice[];
  /** What it comes to, floor included. */
  readonly state: RuleAction;
  /** Whether it may decide the request at all. */
  readonly counts: boolean;
  /** Whether it is the one that decided. */
  readonly wins: boolean;
}

/** Why a verdict is what it is. */
export interface Explanation<V> {
  readonly verdict: V;
  readonly readings: readonly Reading[];
  /** `<incomplete-facts>` when that is why an allow became an ask, else null. */
  readonly floor: string | null;
  /** What was laid over what the rules say, in the order it was done. */
  readonly overlays: readonly ("fail-closed" | "yolo")[];
}

/** Says how rules come to their verdicts. Pure; never throws. */
export interface Explainer {
  /** Explains what `judge` of the same rules says. */
  explain(query: PolicyQuery): Explanation<RuleVerdict>;
  /** Explains what `judgeForwarded` of the same rules says. */
  explainForwarded(query: {
    readonly intent: ForwardedAccessIntent;
    readonly attestedAgent: string | null;
    readonly grants: readonly Grant[];
  }): Explanation<ForwardedVerdict>;
}

import type { DecisionSource, Ruling } from "./decision.ts";
import type { PromptPermissionDetails } from "./details.ts";
import type { RuleAction } from "./verdict.ts";

/** The time, read where a program is composed and passed down. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds that only ever grow, for durations. */
  monotonic(): number;
}

/** Where a role says what it does. Never a secret, never evidence above debug. A pino logger is one. */
export interface Log {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** An ask as it is put to a terminal. */
export interface TerminalAsk {
  readonly details: PromptPermissionDetails;
  /** Epoch milliseconds on the serving node's own clock. */
  readonly expiresAt: number;
  /** How often this id was put to somebody before; 0 the first time. */
  readonly reprompt: number;
  /** Called when the ask is really before the one who decides. */
  readonly presented: () => void;
}

/** What a terminal answers. `scope` widens an approval beyond this one ask. */
export type TerminalAnswer =
  | {
      readonly kind: "ruled";
      readonly ruling: Ruling;
      readonly scope: GrantScope;
      /** Told once what became of the ruling, and of one that came too late which end stands. Must not throw. */
      readonly settled?: (effect: RulingEffect, stands?: StandingEnd) => void;
    }
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * What became of a terminal's ruling: it counts, its ask had ended before, or it could not be made durable
 * and the ask goes on without it.
 */
export type RulingEffect = "counted" | "ended" | "unrecorded";

/** The end of an ask that stands in the place of a ruling which came after it. */
export interface StandingEnd {
  readonly outcome: "allowed" | "denied" | "lost";
  /** Null when nobody decided. */
  readonly decidedBy: DecisionSource | null;
}

/** How far a person's approval reaches. */
export type GrantScope = "once" | "child_session" | "serving_session";

/** Why an ask is taken back from a terminal while nothing is heard of its child. */
export const CHILD_GONE = "child_gone";

/** Decides what the rules and the chain left open: a person, the parent's parent, or a refusal. */
export interface Terminal {
  /**
   * Puts the ask to whoever decides and waits. Aborting `signal` takes it back, with a reason that says why:
   * `decided` elsewhere, `stopped` serving, `child_gone` while nothing is heard of its child, or the lost reason of the
   * ask. One that was taken back as `child_gone` is put again when its child is heard. The promise then settles and its
   * value is ignored. A rejection is a gate error.
   */
  decide(ask: TerminalAsk, signal: AbortSignal): Promise<TerminalAnswer>;
  /** Asks put to it that wait behind others. */
  waiting(): number;
}

/** What a link of the authorizer chain answers. */
export type LinkVerdict =
  | { readonly kind: "allow"; readonly reason?: string }
  | { readonly kind: "deny"; readonly reason?: string }
  | { readonly kind: "defer" };

/** What the rules of the serving node say about one value, as a link may ask them. Grants do not count. */
export interface LinkRuleAnswer {
  readonly state: RuleAction;
  /** Pattern of the rule that decided; null when none did, or only the default. */
  readonly pattern: string | null;
  /** The reason of a rule that denies; null when it gives none. */
  readonly reason: string | null;
}

/** The rules of the serving node, as a link may ask them about things beside the ask. */
export interface LinkQuery {
  /**
   * Judges one value on a surface for whoever asks, by the rules alone. The text of a shell command is taken
   * apart, and never simply allowed: its facts are not all here.
   */
  checkPermission(surface: string, value: string): Promise<LinkRuleAnswer>;
}

/** One authorizer of the chain. */
export interface Link {
  readonly name: string;
  /** Longest time of one ask, in milliseconds; absent: that of the chain. */
  readonly timeoutMs?: number;
  /**
   * Judges one ask. A rejection, anything but a verdict and a deadline that passes count as defer. `signal` is
   * aborted at the deadline and when the ask ends by other ways; what is said later is ignored.
   */
  judge(
    details: PromptPermissionDetails,
    query: LinkQuery,
    log: Log,
    signal: AbortSignal,
  ): Promise<LinkVerdict>;
}

/** What a module of a link is given when it is loaded. */
export interface LinkSetup {
  /** Name of the link in the configuration. */
  readonly name: string;
  /** `options` of its entry in the configuration; empty when it has none. May hold secrets. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * What a module of a link exports under the name `createLink`. A rejection leaves the link vacant: it defers
 * every ask, and says why.
 */
export type CreateLink = (setup: LinkSetup) => Pick<Link, "judge"> | Promise<Pick<Link, "judge">>;

import type { Ruling } from "./decision.ts";
import type { PromptPermissionDetails } from "./details.ts";

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
      /** Told once what became of the ruling. Must not throw. */
      readonly settled?: (effect: RulingEffect) => void;
    }
  | { readonly kind: "unavailable"; readonly reason: string };

/**
 * What became of a terminal's ruling: it counts, its ask had ended before, or it could not be made durable
 * and the ask goes on without it.
 */
export type RulingEffect = "counted" | "ended" | "unrecorded";

/** How far a person's approval reaches. */
export type GrantScope = "once" | "child_session" | "serving_session";

/** Decides what the rules and the chain left open: a person, the parent's parent, or a refusal. */
export interface Terminal {
  /**
   * Puts the ask to whoever decides and waits. Aborting `signal` takes it back; the promise then
   * settles and its value is ignored. A rejection is a gate error.
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

/** One authorizer of the chain. */
export interface Link {
  readonly name: string;
  judge(details: PromptPermissionDetails, signal: AbortSignal): Promise<LinkVerdict>;
}

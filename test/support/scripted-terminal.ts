import type { Ruling } from "../../src/ask/decision.ts";
import {
  CHILD_GONE,
  type GrantScope,
  type RulingEffect,
  type StandingEnd,
  type Terminal,
  type TerminalAnswer,
  type TerminalAsk,
} from "../../src/ask/ports.ts";

/** One ask as it was put to the scripted terminal. */
export interface PutAsk {
  readonly ask: TerminalAsk;
  readonly signal: AbortSignal;
  /** What was told about its ruling. */
  readonly effects: RulingEffect[];
  /** Ends it was told of that stood before its ruling. */
  readonly stands: StandingEnd[];
  answer(answer: TerminalAnswer): void;
  fail(error: unknown): void;
}

/** A terminal whose person the test plays. */
export interface ScriptedTerminal extends Terminal {
  /** Everything ever put to it, in order. */
  readonly put: PutAsk[];
  /** The last time an id was put to it. */
  of(requestId: string): PutAsk;
  allow(requestId: string, scope?: GrantScope): void;
  deny(requestId: string, reason?: string): void;
}

/** The approval of a person at a dialog. */
export const APPROVAL: Ruling = {
  approved: true,
  state: "approved",
  decidedBy: { kind: "user", via: "dialog" },
};

/** Makes a terminal that shows every ask at once, unless `shows` says otherwise. */
export function scriptedTerminal(
  shows: (ask: TerminalAsk, nth: number) => boolean = () => true,
): ScriptedTerminal {
  const put: PutAsk[] = [];
  const of = (requestId: string): PutAsk => {
    const found = put.findLast(({ ask }) => ask.details.requestId === requestId);
    if (found === undefined) throw new Error(`${requestId} was never put to the terminal`);
    return found;
  };
  const rule = (requestId: string, ruling: Ruling, scope: GrantScope): void => {
    const one = of(requestId);
    one.answer({ kind: "ruled", ruling, scope, settled: told(one) });
  };
  const told =
    (one: PutAsk) =>
    (effect: RulingEffect, stands?: StandingEnd): void => {
      one.effects.push(effect);
      if (stands !== undefined) one.stands.push(stands);
    };
  return {
    put,
    of,
    decide: async (ask, signal) => {
      const { promise, resolve, reject } = Promise.withResolvers<TerminalAnswer>();
      put.push({ ask, signal, effects: [], stands: [], answer: resolve, fail: reject });
      signal.addEventListener("abort", () => {
        if (signal.reason === CHILD_GONE) resolve({ kind: "unavailable", reason: "withdrawn" });
      });
      if (shows(ask, put.length - 1)) ask.presented();
      return promise;
    },
    waiting: () => 0,
    allow: (requestId, scope = "once") => rule(requestId, APPROVAL, scope),
    deny: (requestId, reason) => {
      const by = { approved: false, decidedBy: APPROVAL.decidedBy } as const;
      const ruling: Ruling =
        reason === undefined
          ? { ...by, state: "denied" }
          : { ...by, state: "denied_with_reason", denialReason: reason };
      rule(requestId, ruling, "once");
    },
  };
}

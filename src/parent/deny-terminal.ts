import type { Terminal } from "../ask/ports.ts";

/** The reason {@link denyTerminal} gives: nobody was asked, so nobody denied. */
export const NOBODY_THERE = "nobody is there to answer at the session that was asked";

/** A terminal without anybody behind it: every ask that rules and links leave open is unavailable at once. */
export function denyTerminal(): Terminal {
  return {
    decide: async () => Promise.resolve({ kind: "unavailable", reason: NOBODY_THERE }),
    waiting: () => 0,
  };
}

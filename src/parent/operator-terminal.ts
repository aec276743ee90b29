import type { Terminal, TerminalAnswer } from "../ask/ports.ts";

const TAKEN_BACK: TerminalAnswer = { kind: "unavailable", reason: "withdrawn" };

/** A terminal with nobody before it: what rules and links leave open waits until an operator answers it. */
export function operatorTerminal(): Terminal {
  let waiting = 0;
  return {
    decide: async (_ask, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve(TAKEN_BACK);
        waiting += 1;
        const end = (): void => {
          waiting -= 1;
          resolve(TAKEN_BACK);
        };
        signal.addEventListener("abort", end, { once: true });
      }),
    waiting: () => waiting,
  };
}

import { answerByRules } from "./answer-by-rules.ts";
import { failClosed, failHeld } from "./fail-closed.ts";
import { holdAsks, takeUp } from "./hold-ask.ts";
import type { Arrival, LiveAsk, Serving } from "./serving.ts";
import { askChain, askTerminal, settleByFirst } from "./stages.ts";

/**
 * Decides one ask: the rules of this node, then the chain of links, then the terminal. Whoever rules first ends
 * it. The rules answer in the same turn; what they leave open is durable before anybody else is asked, and then
 * nothing of how it came stays in memory.
 */
export function decide(serving: Serving, arrival: Arrival): void {
  const byRules = serving.rules.judge(arrival.received.ask);
  if (byRules !== null) answerByRules(serving, arrival, byRules);
  else if (arrival.row === null) serving.arrivals.add(arrival);
  else putToOthers(serving, takeUp(serving, arrival, arrival.row));
}

/** Takes new asks that came together into this node's care, and puts them to links and terminal. Never throws. */
export function takeInCare(serving: Serving, arrivals: readonly Arrival[]): void {
  holdAsks(serving, arrivals, (arrival, hold) => {
    try {
      const live = hold();
      if (live !== null) putToOthers(serving, live);
    } catch (error) {
      failClosed(serving, arrival, error);
    }
  });
}

function putToOthers(serving: Serving, live: LiveAsk): void {
  settleByFirst(serving, live, [askChain, askTerminal]).catch((error: unknown) => {
    failHeld(serving, live, error);
  });
}

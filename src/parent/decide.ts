import { answerByRules } from "./answer-by-rules.ts";
import { failHeld } from "./fail-closed.ts";
import { holdAsk } from "./hold-ask.ts";
import type { Arrival, Serving } from "./serving.ts";
import { askChain, askTerminal, settleByFirst } from "./stages.ts";

/**
 * Decides one ask: the rules of this node, then the chain of links, then the terminal. Whoever rules first ends
 * it. The rules answer in the same turn; what they leave open is durable before anybody else is asked, and then
 * nothing of how it came stays in memory.
 */
export function decide(serving: Serving, arrival: Arrival): void {
  const byRules = serving.rules.judge(arrival.received.ask);
  if (byRules !== null) {
    answerByRules(serving, arrival, byRules);
    return;
  }
  const live = holdAsk(serving, arrival);
  if (live === null) return;
  settleByFirst(serving, live, [askChain, askTerminal]).catch((error: unknown) => {
    failHeld(serving, live, error);
  });
}

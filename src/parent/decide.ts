import { answerByRules } from "./answer-by-rules.ts";
import { holdAsk } from "./hold-ask.ts";
import type { Arrival, Serving } from "./serving.ts";
import { askChain, askTerminal, settle } from "./stages.ts";

/**
 * Decides one ask: the rules of this node, then the chain of links, then the terminal. Whoever rules first ends
 * it. The rules answer in the same turn; what they leave open is durable before anybody else is asked.
 */
export async function decide(serving: Serving, arrival: Arrival): Promise<void> {
  const byRules = serving.rules.judge(arrival.received.ask);
  if (byRules !== null) {
    answerByRules(serving, arrival, byRules);
    return;
  }
  const live = holdAsk(serving, arrival);
  if (live === null) return;
  const byLink = await askChain(serving, live);
  if (byLink !== null) {
    settle(serving, live, { ruling: byLink, scope: "once" });
    return;
  }
  const byTerminal = await askTerminal(serving, live);
  if (byTerminal !== null) settle(serving, live, byTerminal);
}

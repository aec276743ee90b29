import { answerUnheld } from "./answer-unheld.ts";
import { endLive } from "./end-ask.ts";
import { endingByRules } from "./ending-by-ruling.ts";
import { takeUp } from "./hold-ask.ts";
import type { RuleRuling } from "./rule-book.ts";
import type { Arrival, Serving } from "./serving.ts";

/**
 * Answers an ask that the rules decide. A new one is answered before anything is on disk. One that an earlier
 * process left behind is ended like any other it took up: in one transaction before its answer.
 */
export function answerByRules(serving: Serving, arrival: Arrival, judged: RuleRuling): void {
  serving.counters.count("answered_by_rule");
  if (arrival.row !== null) {
    const live = takeUp(serving, arrival, arrival.row);
    endLive(serving, live, endingByRules(serving, live, judged));
    return;
  }
  const { received } = arrival;
  const of = { ask: received.ask, askDigest: received.askDigest, details: null };
  answerUnheld(serving, received, endingByRules(serving, of, judged));
}

/**
 * Judges again what waits and is on nobody's screen: after a grant and after other rules. What is to be judged
 * is settled beforehand: the end of one may bring the next before somebody's eyes.
 */
export function judgeWaitingAgain(serving: Serving): void {
  const waiting = [...serving.live.values()].filter((live) => !live.onScreen);
  for (const live of waiting) {
    const judged = serving.rules.judge(live.ask);
    if (judged === null) continue;
    serving.counters.count("answered_by_rule");
    endLive(serving, live, endingByRules(serving, live, judged));
  }
}

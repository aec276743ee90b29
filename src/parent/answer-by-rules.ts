import { answerUnheld } from "./answer-unheld.ts";
import { endLive } from "./end-ask.ts";
import { endingByRules } from "./ending-by-ruling.ts";
import { takeUp } from "./hold-ask.ts";
import type { RuleRuling } from "./rule-book.ts";
import type { Arrival, LiveAsk, Serving } from "./serving.ts";

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

/** Judges again what waits and is on nobody's screen: after a grant. */
export function judgeWaitingAgain(serving: Serving): void {
  judgeAgain(serving, (live) => !live.onScreen);
}

/**
 * Judges everything again that is undecided: after other rules, which also hold against what somebody looks at.
 * That comes last, so that no ask is shown for the moment until its own turn.
 */
export function judgeAllAgain(serving: Serving): void {
  judgeWaitingAgain(serving);
  judgeAgain(serving, (live) => live.onScreen);
}

/** What is to be judged is settled beforehand: the end of one may bring the next before somebody's eyes. */
function judgeAgain(serving: Serving, concerns: (live: LiveAsk) => boolean): void {
  // They were judged by what held before.
  serving.arrivals.settle();
  const concerned = [...serving.live.values()].filter(concerns);
  for (const live of concerned) {
    const judged = serving.rules.judge(live.ask);
    if (judged === null) {
      if (live.state === "human" || live.state === "relayed") live.rest();
      continue;
    }
    serving.counters.count("answered_by_rule");
    endLive(serving, live, endingByRules(serving, live, judged));
  }
}

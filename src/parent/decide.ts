import { answerByRules } from "./answer-by-rules.ts";
import { failClosed, failHeld } from "./fail-closed.ts";
import { holdAgain, holdAsks, type PassedBy } from "./hold-ask.ts";
import { askUpstream, leaveChain, passedAsk } from "./relay.ts";
import type { Arrival, LiveAsk, Serving } from "./serving.ts";
import { askChain, askTerminal, settleByFirst } from "./stages.ts";

/**
 * Decides one ask: the rules of this node, then the chain of links, then the terminal. Whoever rules first ends
 * it. A node that relays leaves chain and terminal to its own parent. The rules answer in the same turn; what they
 * leave open is durable before anybody else is asked, and then nothing of how it came stays in memory.
 */
export function decide(serving: Serving, arrival: Arrival): void {
  const byRules = serving.rules.judge(arrival.received.ask);
  if (byRules !== null) answerByRules(serving, arrival, byRules);
  else if (arrival.row === null) serving.arrivals.add(arrival);
  else {
    const live = holdAgain(serving, { ...arrival, row: arrival.row }, passedBy(serving));
    if (live !== null) putToOthers(serving, live);
  }
}

/**
 * Takes new asks that came together into this node's care, and puts them to links and terminal once their children's
 * `accepted` has left: else a process that dies with its first prompt leaves a child that thinks nobody serves. What
 * is passed on goes at once, and shows nothing here. Never throws.
 */
export function takeInCare(serving: Serving, arrivals: readonly Arrival[]): void {
  const held: LiveAsk[] = [];
  holdAsks(serving, arrivals, passedBy(serving), (arrival, hold) => {
    try {
      const live = hold();
      if (live !== null) held.push(live);
    } catch (error) {
      failClosed(serving, arrival, error);
    }
  });
  const putAll = (): void => {
    for (const live of held) putToOthers(serving, live);
  };
  if (serving.upstream === null) setImmediate(putAll);
  else putAll();
}

/** How asks get on their way to this node's own parent; null where it has none. */
function passedBy(serving: Serving): PassedBy | null {
  const { upstream } = serving;
  return upstream && ((live) => upstream.pass(passedAsk(serving, live)));
}

function putToOthers(serving: Serving, live: LiveAsk): void {
  const relays = serving.upstream !== null;
  const stages = relays ? [leaveChain, askUpstream] : [askChain, askTerminal];
  settleByFirst(serving, live, stages).catch((error: unknown) => {
    failHeld(serving, live, error);
  });
}

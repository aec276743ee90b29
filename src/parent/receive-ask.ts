import { MAX_HOPS } from "../ask/ask.ts";
import type { LostReason } from "../ask/lost.ts";
import type { ServedAskEnd, ServedAskRow } from "../journal/journal.ts";
import type { Answer } from "./answer-book.ts";
import { isTooOld, ROW_KEPT_MS, shortenedDeadline } from "./ask-life.ts";
import { decide } from "./decide.ts";
import { refuseAtOnce, refuseLive, release, wordOfEnd } from "./end-ask.ts";
import { failClosed } from "./fail-closed.ts";
import { armDeadline, liveOfRow } from "./hold-ask.ts";
import { sendAccepted, sendAcceptedAgain } from "./send.ts";
import { stateOfRow } from "./served-state.ts";
import { type Arrival, graveOf, type LiveAsk, type ReceivedAsk, type Serving } from "./serving.ts";

/**
 * Takes an ask or one of its repeats. What is known is answered from memory or journal and never decided again;
 * an id that stands for another ask is refused with the newcomer's own proof, and the first stays untouched.
 */
export function receiveAsk(serving: Serving, received: ReceivedAsk): void {
  serving.counters.count("asks");
  const { id } = received.ask;
  // First of all: an ask that comes back has the id of the one that is held here.
  const astray = wayOf(serving, received);
  if (astray !== null) {
    refuseAtOnce(serving, received, astray.lost, astray.detail);
    return;
  }
  const live = serving.live.get(id);
  if (live !== undefined) {
    if (isSame(serving, live, received)) repeatLive(serving, live, received);
    return;
  }
  const answer = serving.answers.find(id);
  if (answer !== null) {
    if (isSame(serving, answer, received)) {
      repeatAnswer(serving, { ...answer, nonce: received.ask.nonce });
    }
    return;
  }
  const row = serving.read.servedAsk(id);
  if (row === null) receiveNew(serving, received);
  else if (isSame(serving, row, received)) receiveKept(serving, received, row);
}

function isSame(
  serving: Serving,
  known: { readonly childToken: string; readonly askDigest: string },
  received: ReceivedAsk,
): boolean {
  const { childToken, askDigest } = received;
  if (known.childToken === childToken && known.askDigest === askDigest) return true;
  serving.counters.count("rid_conflict");
  refuseAtOnce(serving, received, "rid_conflict", "this request id stands for another ask here");
  return false;
}

function repeatLive(serving: Serving, live: LiveAsk, received: ReceivedAsk): void {
  const row = serving.read.servedAsk(live.requestId);
  if (row !== null && row.end !== null) {
    live.state = stateOfRow(row);
    release(serving, live, wordOfEnd(row.end));
    giveKept(serving, received, { row, end: row.end });
    return;
  }
  const now = serving.clock.now();
  const deadlineAt = shortenedDeadline(live.deadlineAt, received.remainingMs, now);
  if (deadlineAt < live.deadlineAt) {
    live.deadlineAt = deadlineAt;
    armDeadline(serving, live);
  }
  sendAccepted(serving, live);
}

function repeatAnswer(serving: Serving, answer: Answer): void {
  sendAcceptedAgain(serving, answer);
  serving.answers.give(answer);
}

function receiveKept(serving: Serving, received: ReceivedAsk, row: ServedAskRow): void {
  if (row.end !== null) {
    giveKept(serving, received, { row, end: row.end });
    return;
  }
  const now = serving.clock.now();
  if (shortenedDeadline(row.deadlineAt, received.remainingMs, now) > now) {
    startDeciding(serving, { received, row });
    return;
  }
  const live = liveOfRow(serving, { received, row }, row);
  serving.live.set(live.requestId, live);
  refuseLive(serving, live, "timed_out", "its time was over before this process took it up");
}

function giveKept(
  serving: Serving,
  received: ReceivedAsk,
  kept: { readonly row: ServedAskRow; readonly end: ServedAskEnd },
): void {
  const { row, end } = kept;
  const answer: Answer = {
    childToken: row.childToken,
    requestId: row.requestId,
    nonce: received.ask.nonce,
    askDigest: row.askDigest,
    kind: end.kind,
    body: end.answer,
    keepUntil: Math.max(row.deadlineAt, end.endedAt) + ROW_KEPT_MS,
  };
  sendAcceptedAgain(serving, answer);
  if (row.receipt === null) serving.answers.give(answer);
  else serving.line.send(answer, answer.body);
}

function receiveNew(serving: Serving, received: ReceivedAsk): void {
  const refusal = refusalOf(serving, received);
  if (refusal === null) startDeciding(serving, { received, row: null });
  else refuseAtOnce(serving, received, refusal.lost, refusal.detail);
}

interface Refusal {
  readonly lost: LostReason;
  readonly detail: string;
}

/** What is wrong with the sessions an ask has passed; null when nothing is. */
function wayOf(serving: Serving, { ask }: ReceivedAsk): Refusal | null {
  const path = ask.path ?? [];
  if (path.includes(serving.session) || ask.origin?.sessionId === serving.session) {
    return { lost: "loop", detail: "the ask has passed this session before" };
  }
  if (path.length > MAX_HOPS) {
    return { lost: "too_deep", detail: `the ask has passed more than ${MAX_HOPS} sessions` };
  }
  return null;
}

function refusalOf(serving: Serving, received: ReceivedAsk): Refusal | null {
  const { ask, childToken, remainingMs } = received;
  if (ask.requesterSessionId === serving.session) {
    return { lost: "self_target", detail: "a session does not answer itself" };
  }
  const buried = serving.graves.has(graveOf(ask.id, childToken));
  if (buried || serving.read.hasTombstone(ask.id, childToken)) {
    return { lost: "cancelled", detail: "its cancel came before it" };
  }
  if (isTooOld(ask, serving.clock.now()) || (remainingMs !== null && remainingMs <= 0)) {
    return { lost: "timed_out", detail: "its time was over when it came" };
  }
  return null;
}

function startDeciding(serving: Serving, arrival: Arrival): void {
  try {
    decide(serving, arrival);
  } catch (error) {
    failClosed(serving, arrival, error);
  }
}

import type { ServedAskRow } from "../journal/journal.ts";
import { answerUnheld } from "./answer-unheld.ts";
import { deadlineOf, shortenedDeadline } from "./ask-life.ts";
import { refuseLive, UNWRITABLE } from "./end-ask.ts";
import { endingByRefusal } from "./ending.ts";
import { guarded } from "./guarded.ts";
import { keepAsk } from "./kept-ask.ts";
import { askEntry } from "./records.ts";
import { sendAccepted } from "./send.ts";
import { nextState } from "./served-state.ts";
import type { Arrival, LiveAsk, Serving } from "./serving.ts";

/**
 * Takes an ask into this node's care: its row is durable, then its child hears `accepted`. Null when it could
 * not be kept: its child is told so, unless another process of this session has just taken it, whose row the
 * next repeat finds.
 */
export function holdAsk(serving: Serving, arrival: Arrival): LiveAsk | null {
  if (arrival.row !== null) return takeUp(serving, arrival, arrival.row);
  const { received } = arrival;
  const { ask, askDigest, childToken } = received;
  const receivedAt = serving.clock.now();
  const deadlineAt = deadlineOf(ask, received.remainingMs, receivedAt);
  const kept = serving.ledger.commit((tx) => {
    if (tx.servedAsk(ask.id) !== null) return false;
    tx.insertServedAsk({
      requestId: ask.id,
      childToken,
      askDigest,
      ask: received.storedAsk,
      receivedAt,
      deadlineAt,
    });
    tx.markAccepted(ask.id);
    tx.record(askEntry(serving.draft, "forwarded_permission.accepted", ask), receivedAt);
    return true;
  });
  if (!kept.kept) {
    serving.counters.count("refused");
    const of = { ask, askDigest, details: null };
    const ending = endingByRefusal(serving, of, "audit_unavailable", UNWRITABLE);
    answerUnheld(serving, received, ending);
    return null;
  }
  if (!kept.value) return null;
  return begin(serving, makeLive(serving, arrival, { deadlineAt, presented: 0 }));
}

/** Takes up a row that an earlier process of this session left undecided. */
export function takeUp(serving: Serving, arrival: Arrival, row: ServedAskRow): LiveAsk {
  const live = liveOfRow(serving, arrival, row);
  serving.ledger.soon((tx) => {
    const entry = askEntry(serving.draft, "forwarded_permission.accepted", live.ask, {
      resumed: true,
    });
    tx.record(entry, serving.clock.now());
  });
  return begin(serving, live);
}

/** Makes a live ask of a dormant row and its child's repeat, without telling anybody. */
export function liveOfRow(serving: Serving, arrival: Arrival, row: ServedAskRow): LiveAsk {
  const now = serving.clock.now();
  const deadlineAt = shortenedDeadline(row.deadlineAt, arrival.received.remainingMs, now);
  serving.dormant.delete(row.requestId);
  return makeLive(serving, arrival, { deadlineAt, presented: row.presented });
}

/** Ends the life of a live ask at its deadline, and not before it. */
export function armDeadline(serving: Serving, live: LiveAsk): void {
  if (live.timer !== null) clearTimeout(live.timer);
  const wait = Math.max(0, live.deadlineAt - serving.clock.now());
  live.timer = setTimeout(() => {
    guarded(serving, "the end of an ask's life", () => expire(serving, live));
  }, wait).unref();
}

function expire(serving: Serving, live: LiveAsk): void {
  live.timer = null;
  if (serving.live.get(live.requestId) !== live) return;
  const detail = live.wasPresented
    ? "nobody answered in time"
    : "it was never presented to anybody";
  refuseLive(serving, live, "timed_out", detail);
}

function begin(serving: Serving, live: LiveAsk): LiveAsk {
  serving.live.set(live.requestId, live);
  armDeadline(serving, live);
  sendAccepted(serving, live);
  return live;
}

function makeLive(
  serving: Serving,
  arrival: Arrival,
  row: { readonly deadlineAt: number; readonly presented: number },
): LiveAsk {
  const { received } = arrival;
  const held = nextState(arrival.row === null ? "unknown" : "dormant", "held") ?? "dormant";
  const hasLinks = !serving.chain.isEmpty();
  const state = hasLinks ? held : (nextState(held, "deferred") ?? held);
  const { ask, childToken, askDigest } = received;
  const kept = keepAsk(serving, received);
  return Object.assign(kept, {
    requestId: ask.id,
    childToken,
    askDigest,
    nonce: ask.nonce,
    reprompt: row.presented,
    abort: new AbortController(),
    state,
    heldBy: { kind: hasLinks ? "authorizer" : "human" },
    links: [],
    onScreen: false,
    wasPresented: row.presented > 0,
    deadlineAt: row.deadlineAt,
    timer: null,
  });
}

import type { JournalWrites, ServedAskRow } from "../journal/journal.ts";
import { answerUnheld } from "./answer-unheld.ts";
import { deadlineOf, shortenedDeadline } from "./ask-life.ts";
import { refuseLive, UNWRITABLE } from "./end-ask.ts";
import { endingByRefusal } from "./ending.ts";
import { guarded } from "./guarded.ts";
import { keepAsk } from "./kept-ask.ts";
import { askEntry } from "./records.ts";
import { sendAccepted } from "./send.ts";
import { nextState } from "./served-state.ts";
import type { Arrival, LiveAsk, ReceivedAsk, Serving } from "./serving.ts";

/**
 * Takes new asks into this node's care: their rows become durable together, then each child hears `accepted`. Calls
 * `begin` for each with what begins it, which gives null for one that could not be kept: its child is told so, unless
 * another process of this session has just taken it, whose row the next repeat finds.
 */
export function holdAsks(
  serving: Serving,
  arrivals: readonly Arrival[],
  begin: (arrival: Arrival, hold: () => LiveAsk | null) => void,
): void {
  const rows = arrivals.map(({ received }) => newRow(serving, received));
  const kept = keepTogether(serving, rows);
  for (const [place, arrival] of arrivals.entries()) {
    begin(arrival, () => beginKept(serving, arrival, kept[place] ?? null));
  }
}

/** A row of this process, one of another process of this session, or none: the journal took nothing. */
type Kept = NewRow | "another" | null;

function beginKept(serving: Serving, arrival: Arrival, kept: Kept): LiveAsk | null {
  if (kept === "another") return null;
  if (kept !== null) {
    const { deadlineAt } = kept;
    return begin(serving, makeLive(serving, arrival, { deadlineAt, presented: 0 }));
  }
  const { received } = arrival;
  serving.counters.count("refused");
  const of = { ask: received.ask, askDigest: received.askDigest, details: null };
  const ending = endingByRefusal(serving, of, "audit_unavailable", UNWRITABLE);
  answerUnheld(serving, received, ending);
  return null;
}

/** One that cannot be kept by itself takes no other with it. */
function keepTogether(serving: Serving, rows: readonly NewRow[]): readonly Kept[] {
  const done = serving.ledger.commit((tx) =>
    rows.map((row): Kept => (keep(serving, tx, row) ? row : "another")),
  );
  if (done.kept) return done.value;
  return rows.length === 1 ? [null] : rows.flatMap((row) => keepTogether(serving, [row]));
}

interface NewRow {
  readonly received: ReceivedAsk;
  readonly receivedAt: number;
  readonly deadlineAt: number;
}

function newRow(serving: Serving, received: ReceivedAsk): NewRow {
  const receivedAt = serving.clock.now();
  const deadlineAt = deadlineOf(received.ask, received.remainingMs, receivedAt);
  return { received, receivedAt, deadlineAt };
}

/** False when another process of this session has it. */
function keep(serving: Serving, tx: JournalWrites, row: NewRow): boolean {
  const { received, receivedAt, deadlineAt } = row;
  const { ask, askDigest, childToken } = received;
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

import type { HeldBy } from "../ask/messages.ts";
import type { RecordDraft } from "../ask/record.ts";
import type { JournalWrites, ServedAskRow } from "../journal/journal.ts";
import { answerUnheld } from "./answer-unheld.ts";
import { deadlineOf, shortenedDeadline } from "./ask-life.ts";
import { refuseLive, UNWRITABLE } from "./end-ask.ts";
import { endingByRefusal } from "./ending.ts";
import { guarded } from "./guarded.ts";
import { keepAsk } from "./kept-ask.ts";
import { askEntry } from "./records.ts";
import { sendAccepted } from "./send.ts";
import { nextState, type ServedEvent } from "./served-state.ts";
import type { Arrival, LiveAsk, Serving } from "./serving.ts";

/** How long an ask that is passed on waits for a rule above before its child is told that it waits, in milliseconds. */
const QUIET_MS = 20;

/** How an ask gets on its way to this session's own parent. */
export type PassedBy = (live: LiveAsk) => NonNullable<LiveAsk["passing"]>;

/**
 * Takes new asks into this node's care: their rows become durable together, then each child hears `accepted`. Calls
 * `begin` for each with what begins it, which gives null for one that could not be kept: its child is told so, unless
 * another process of this session has just taken it, whose row the next repeat finds.
 */
export function holdAsks(
  serving: Serving,
  arrivals: readonly Arrival[],
  passed: PassedBy | null,
  begin: (arrival: Arrival, hold: () => LiveAsk | null) => void,
): void {
  const rows = arrivals.map((arrival) => newRow(serving, arrival, passed));
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
    const { live } = kept;
    return live.passing === null ? begin(serving, live) : beginQuietly(serving, live);
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
  readonly arrival: Arrival;
  readonly receivedAt: number;
  readonly live: LiveAsk;
}

function newRow(serving: Serving, arrival: Arrival, passed: PassedBy | null): NewRow {
  const { received } = arrival;
  const receivedAt = serving.clock.now();
  const deadlineAt = deadlineOf(received.ask, received.remainingMs, receivedAt);
  const live = makeLive(serving, arrival, { deadlineAt, presented: 0 });
  live.passing = passed?.(live) ?? null;
  return { arrival, receivedAt, live };
}

/** False when another process of this session has it. */
function keep(serving: Serving, tx: JournalWrites, row: NewRow): boolean {
  const { live, receivedAt } = row;
  const { received } = row.arrival;
  const { ask, askDigest, childToken } = received;
  if (tx.servedAsk(ask.id) !== null) return false;
  tx.insertServedAsk({
    requestId: ask.id,
    childToken,
    askDigest,
    ask: received.storedAsk,
    receivedAt,
    deadlineAt: live.deadlineAt,
  });
  tx.markAccepted(ask.id);
  tx.record(askEntry(serving.draft, "forwarded_permission.accepted", ask), receivedAt);
  live.passing?.write(tx);
  return true;
}

/** Takes up a row to decide about it once more, or to pass it on again as it was passed on before. */
export function holdAgain(
  serving: Serving,
  arrival: Arrival & { readonly row: ServedAskRow },
  passed: PassedBy | null,
): LiveAsk | null {
  if (passed === null) return takeUp(serving, arrival, arrival.row);
  const live = liveOfRow(serving, arrival, arrival.row);
  live.passing = passed(live);
  const kept = serving.ledger.commit((tx) => {
    tx.record(resumedEntry(serving, live), serving.clock.now());
    live.passing?.write(tx);
  });
  if (kept.kept) return begin(serving, live);
  serving.live.set(live.requestId, live);
  refuseLive(serving, live, "audit_unavailable", UNWRITABLE);
  return null;
}

function resumedEntry(serving: Serving, live: LiveAsk): RecordDraft {
  return askEntry(serving.draft, "forwarded_permission.accepted", live.ask, { resumed: true });
}

/** Takes up a row that an earlier process of this session left undecided. */
export function takeUp(serving: Serving, arrival: Arrival, row: ServedAskRow): LiveAsk {
  const live = liveOfRow(serving, arrival, row);
  serving.ledger.soon((tx) => {
    tx.record(resumedEntry(serving, live), serving.clock.now());
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
  enter(serving, live);
  sendAccepted(serving, live);
  return live;
}

/**
 * Begins an ask that is passed on. Rules above answer within milliseconds: its child hears `accepted` only when they
 * do not, long before it would repeat.
 */
function beginQuietly(serving: Serving, live: LiveAsk): LiveAsk {
  enter(serving, live);
  const timer = setTimeout(() => {
    if (serving.live.get(live.requestId) !== live) return;
    guarded(serving, "telling where an ask is", () => sendAccepted(serving, live));
  }, QUIET_MS).unref();
  live.abort.signal.addEventListener("abort", () => clearTimeout(timer));
  return live;
}

function enter(serving: Serving, live: LiveAsk): void {
  serving.live.set(live.requestId, live);
  serving.children.watch(live.childToken);
  armDeadline(serving, live);
}

function makeLive(
  serving: Serving,
  arrival: Arrival,
  row: { readonly deadlineAt: number; readonly presented: number },
): LiveAsk {
  const { received } = arrival;
  const held = nextState(arrival.row === null ? "unknown" : "dormant", "held") ?? "dormant";
  const { heldBy, moves } = holderOf(serving);
  const state = moves === null ? held : (nextState(held, moves) ?? held);
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
    heldBy,
    links: [],
    onScreen: false,
    wasPresented: row.presented > 0,
    deadlineAt: row.deadlineAt,
    timer: null,
    passing: null,
  });
}

/** Who holds an ask first that the rules leave open, and the event by which it gets there. */
function holderOf(serving: Serving): {
  readonly heldBy: HeldBy;
  readonly moves: Extract<ServedEvent, "deferred" | "passed"> | null;
} {
  const { upstream, chain } = serving;
  if (upstream !== null) {
    return { heldBy: { kind: "session", sessionId: upstream.session }, moves: "passed" };
  }
  return chain.isEmpty()
    ? { heldBy: { kind: "human" }, moves: "deferred" }
    : { heldBy: { kind: "authorizer" }, moves: null };
}

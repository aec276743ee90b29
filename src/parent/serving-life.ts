import { HEARTBEAT_MS } from "../ask/presence.ts";
import type { Bus } from "../bus/bus.ts";
import type { BusEvent } from "../bus/port.ts";
import type { Journal } from "../journal/journal.ts";
import { refuseLive, release } from "./end-ask.ts";
import { guarded } from "./guarded.ts";
import { clear, refuseDormant, tick } from "./housekeeping.ts";
import { tellPresence } from "./presence.ts";
import { plainEntry, relayEntry } from "./records.ts";
import { nextState } from "./served-state.ts";
import type { Serving } from "./serving.ts";

/** Time between two clearings of the journal, in milliseconds. */
const CLEAR_MS = 10 * 60 * 1000;

/** Longest waits of a close: for group commits under way, and for the server to have everything. */
const CLOSE_WAIT_MS = 2000;

/** A serving from its first heartbeat to its end. */
export interface ServingLife {
  /** Resolves with the reason when it stopped by itself, with null after `close`. */
  readonly stopped: Promise<string | null>;
  /** Stops at once: dialogs close, undecided rows stay for another process. Further calls do nothing. */
  stop(reason: string | null): void;
  /** Serves on as a session that another one takes over from, and closes when nothing is left to be served. */
  handOver(successor: string): Promise<void>;
  /** Ends in order and in bounded time; `answerOpen` gives every undecided ask back first. */
  close(answerOpen: boolean): Promise<void>;
}

/** What a serving lives on. */
export interface LifeParts {
  readonly serving: Serving;
  readonly bus: Bus;
  readonly journal: Journal;
  /** True when this role opened the journal and so begins, ends and closes it. */
  readonly ownsJournal: boolean;
  /** Closed when it serves no longer. */
  readonly operators: { close(): void };
}

/** Starts the heartbeat and the housekeeping of a serving. */
export function beginLife(parts: LifeParts): ServingLife {
  const { serving, bus, ownsJournal, operators } = parts;
  const { upstream } = serving;
  const stopped = Promise.withResolvers<string | null>();
  let over = false;
  let closing: Promise<void> | null = null;

  const timers = [
    setInterval(() => {
      tick(serving);
      if (serving.successor !== null && isDone(serving)) void end(false);
    }, HEARTBEAT_MS).unref(),
    setInterval(() => clear(serving), CLEAR_MS).unref(),
  ];
  const unlisten = bus.port.onEvent((event) => {
    if (event.kind === "reconnected") {
      guarded(serving, "a heartbeat", () => tellPresence(serving, "up"));
      serving.answers.resend();
    }
    const reason = endedBy(event, bus.prefix);
    if (reason !== null) stop(reason);
  });
  guarded(serving, "a heartbeat", () => tellPresence(serving, "up"));
  serving.tell("ready", { sessionId: serving.session, adjudicatesLocally: true });
  clear(serving);

  function stop(reason: string | null): void {
    if (over) return;
    over = true;
    serving.arrivals.close();
    unlisten();
    for (const timer of timers) clearInterval(timer);
    serving.line.close();
    operators.close();
    for (const live of serving.live.values()) {
      live.state = nextState(live.state, "stopped") ?? live.state;
      release(serving, live, "stopped");
    }
    serving.answers.close();
    serving.ledger.commit((tx) => {
      const entry = plainEntry(serving.draft, "forwarded_permission.serving_stopped", null, {
        reason: reason ?? "closed",
      });
      if (upstream !== null) {
        const event = "forwarded_permission.relay_stopped";
        tx.record(relayEntry(serving.draft, event, upstream.session), serving.clock.now());
      }
      tx.record(entry, serving.clock.now());
    });
    if (reason !== null) serving.log.warn({ reason }, "serving stopped");
    stopped.resolve(reason);
  }

  async function close(answerOpen: boolean): Promise<void> {
    if (!over) {
      if (answerOpen) {
        guarded(serving, "giving back what is open", () => giveBackAll(serving));
        guarded(serving, "taking back what was passed on", () => upstream?.tidy());
      }
      guarded(serving, "a heartbeat", () => tellPresence(serving, "bye"));
      stop(null);
    }
    await within(CLOSE_WAIT_MS, serving.ledger.settled());
    if (bus.port.connected()) await bus.port.flush(CLOSE_WAIT_MS);
    await upstream?.close();
    if (ownsJournal) await closeJournal(parts);
  }

  async function end(answerOpen: boolean): Promise<void> {
    closing ??= close(answerOpen);
    return closing;
  }

  return {
    stopped: stopped.promise,
    stop,
    handOver: async (successor) => {
      serving.successor = successor;
      guarded(serving, "a heartbeat", () => tellPresence(serving, "closing"));
      await stopped.promise;
      await closing;
    },
    close: end,
  };
}

/** Nothing waits here, and no child lives that might ask again. */
function isDone({ live, dormant, children }: Serving): boolean {
  return live.size === 0 && dormant.size === 0 && !children.anyLives();
}

function giveBackAll(serving: Serving): void {
  const why = "the session that serves it ended";
  serving.arrivals.settle();
  for (const live of serving.live.values()) refuseLive(serving, live, "parent_shut_down", why);
  for (const row of serving.read.openServedAsks()) {
    refuseDormant(serving, row, "parent_shut_down", why);
  }
}

/** A session life ends clean when nobody waits for it any more; else the next process continues it. */
async function closeJournal({ serving, journal }: LifeParts): Promise<void> {
  let clean = false;
  guarded(serving, "ending the records", () => {
    if (journal.read.openServedAsks().length > 0) return;
    journal.write((tx) => {
      const entry = plainEntry(serving.draft, "audit.stopped", null, { clean: true });
      tx.record(entry, serving.clock.now());
    });
    clean = true;
  });
  try {
    await journal.close(clean);
  } catch (error) {
    serving.log.error({ err: error }, "the journal could not be closed");
  }
}

/** What a connection tells that ends the serving; null for all else. */
function endedBy(event: BusEvent, prefix: string): string | null {
  if (event.kind === "closed") {
    return `the connection is closed${event.error === null ? "" : `: ${event.error.message}`}`;
  }
  if (event.kind === "publish_refused" && event.subject.startsWith(`${prefix}.dec.`)) {
    return `the server does not let this session answer on ${event.subject}`;
  }
  if (event.kind === "subscription_refused" && event.subject.startsWith(`${prefix}.ask.`)) {
    return `the server does not let this session hear ${event.subject}`;
  }
  return null;
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

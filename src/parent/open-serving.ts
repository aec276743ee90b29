import type { Clock, Log, Terminal } from "../ask/ports.ts";
import type { Upstream } from "../ask/upstream.ts";
import type { Bus } from "../bus/bus.ts";
import { openEventLine } from "../bus/event-line.ts";
import { openParentLine } from "../bus/parent-line.ts";
import type { Journal, JournalWrites } from "../journal/journal.ts";
import type { Policy } from "../policy/policy.ts";
import { boundEntry } from "../render/bound-record.ts";
import { openAnswerBook } from "./answer-book.ts";
import { openArrivals } from "./arrivals.ts";
import { holdChain } from "./chain-of.ts";
import { openChildren } from "./children.ts";
import { openCounters } from "./counters.ts";
import { takeInCare } from "./decide.ts";
import { guarded } from "./guarded.ts";
import { openLedger } from "./ledger.ts";
import { receive } from "./receive.ts";
import { type Drafter, plainEntry, relayEntry } from "./records.ts";
import { openRuleBook } from "./rule-book.ts";
import type { ChainOptions, Serving } from "./serving.ts";

/** The least time between two tellings of one matter, in milliseconds. */
const TELL_AGAIN_MS = 1000;

/** What the serving is put together from, with every default in its place. */
export interface ServingParts {
  readonly bus: Bus;
  readonly session: string;
  readonly terminal: Terminal;
  readonly upstream: Upstream<JournalWrites> | null;
  readonly links: ChainOptions;
  readonly roster: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly log: Log;
  readonly journal: Journal;
  readonly policy: Policy;
  readonly recordWidth: number;
  /** True when this role opened the journal: then it writes where this incarnation begins. */
  readonly ownsJournal: boolean;
  /** Called when this process has to stop by itself. */
  readonly stop: (reason: string) => void;
}

/**
 * Puts a serving together and begins to hear asks.
 *
 * @throws Error when two links have one name.
 */
export function openServing(parts: ServingParts): Serving {
  const { bus, session, clock, journal, log, upstream } = parts;
  const events = openEventLine(bus, session);
  const chain = holdChain(parts.links, () => serving);
  const draft = drafter(parts.recordWidth);
  journal.write((tx) => {
    const { incarnation, life } = journal;
    const started = parts.ownsJournal ? [plainEntry(draft, "audit.started", null, { life })] : [];
    const serves = plainEntry(draft, "forwarded_permission.serving_started", null, { incarnation });
    const relays =
      upstream === null
        ? []
        : [relayEntry(draft, "forwarded_permission.relay_started", upstream.session)];
    for (const entry of [...started, serves, ...relays]) tx.record(entry, clock.now());
  });
  const line = openParentLine({
    bus,
    session,
    log,
    onInbound: (inbound) => receive(serving, inbound, parts.stop),
  });
  const serving: Serving = {
    session,
    incarnation: journal.incarnation,
    line,
    read: journal.read,
    ledger: openLedger(journal, log),
    answers: openAnswerBook(
      (answer) => {
        guarded(serving, "sending an answer", () => void line.send(answer, answer.body));
      },
      () => clock.now(),
    ),
    rules: openRuleBook({
      policy: parts.policy,
      read: journal.read,
      roster: parts.roster,
      clock,
      log,
    }),
    chain,
    terminal: parts.terminal,
    upstream,
    roster: parts.roster,
    draft,
    // Observers are told as little as a record keeps; of what serves, nothing is to be masked.
    tell: (kind, event) => {
      const fields = { ...event };
      events.publish(kind, kind === "ready" ? fields : draft(kind, null, fields).body);
    },
    clock,
    log,
    counters: openCounters(),
    mayTell: limiter(() => clock.monotonic()),
    arrivals: openArrivals((arrivals) => takeInCare(serving, arrivals)),
    successor: null,
    children: openChildren({ clock, connected: () => bus.port.connected() }),
    atTerminal: new Set(),
    live: new Map(),
    dormant: new Map(),
    unreceipted: [],
    graves: new Set(),
  };
  return serving;
}

function drafter(maxWidth: number): Drafter {
  return (kind, requestId, body) => ({
    kind,
    requestId,
    body: boundEntry(body, { maxWidth }),
  });
}

function limiter(monotonic: () => number): (matter: string) => boolean {
  const toldAt = new Map<string, number>();
  return (matter) => {
    const now = monotonic();
    if (now - (toldAt.get(matter) ?? Number.NEGATIVE_INFINITY) < TELL_AGAIN_MS) return false;
    toldAt.set(matter, now);
    return true;
  };
}

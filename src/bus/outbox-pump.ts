import { randomBytes } from "node:crypto";
import type { Clock, Log } from "../ask/ports.ts";
import type { Outbox, OutboxRow } from "../journal/journal.ts";
import { MESSAGE_ID_HEADER, messageIdOf, recordEncoder } from "../wire/record.ts";
import { createSubjects } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import { type Flights, openFlights } from "./outbox-flight.ts";
import { openOutboxMarks } from "./outbox-marks.ts";
import { watchOutboxSize } from "./outbox-size.ts";
import type { BusDelivery, BusEvent } from "./port.ts";
import { type PubAck, readPubAck } from "./pub-ack.ts";

/** What an outbox is pumped with. */
export interface PumpOptions {
  readonly bus: Bus;
  readonly outbox: Outbox;
  /** The session whose inbox takes the acknowledgements: the one the connection speaks as. @defaultValue the outbox's own */
  readonly speaker?: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Most records on their way at a time. @defaultValue 256 */
  readonly window?: number;
}

/**
 * How a pump fares. `flowing`: records leave, or there are none. `waiting`: a stream is not there or does not
 * answer; it is tried again by itself. `blocked`: nothing leaves before somebody acts; tried now and then.
 */
export type PumpState = "flowing" | "waiting" | "blocked";

/** Brings the records of one outbox to the audit stream for as long as it is open. */
export interface OutboxPump {
  /** State, what it waits for, and how many records wait: all, and those set aside for good. */
  status(): {
    readonly state: PumpState;
    readonly why: string | null;
    readonly waiting: number;
    readonly parked: number;
  };
  /** Looks at the outbox now instead of at the next turn. */
  wake(): void;
  /**
   * Waits until every record there is has been taken or set aside, at most `timeoutMs`; false when not all were.
   * Gives up at once where nobody takes records.
   */
  drain(timeoutMs: number): Promise<boolean>;
  /** Says whether nothing is left in the outbox but what is set aside. */
  isEmpty(): boolean;
  /** Writes down what was acknowledged and lets go of the outbox, which stays open. */
  close(): void;
}

const WINDOW = 256;
const ACK_WAIT_MS = 1_500;
const LEAST_PAUSE_MS = 250;
const MOST_PAUSE_MS = 2_000;
const REFUSED_PAUSE_MS = 5_000;
const BUSY_TURN_MS = 20;
const IDLE_TURN_MS = 100;
const IDLE_AFTER_MS = 2_000;

/** Begins to pump. Records of other processes of the session leave as well; a stream keeps each once. */
export function openOutboxPump(options: PumpOptions): OutboxPump {
  const { bus, outbox, clock, log } = options;
  const { port } = bus;
  const subjects = createSubjects(bus.prefix);
  const encode = recordEncoder(subjects);
  const speaker = encodeToken(options.speaker ?? outbox.session);
  const inbox = `${subjects.inbox(speaker)}.out`;
  const own = subjects.filter("audit", { session: encodeToken(outbox.session) }).replace(/\*$/, "");
  const most = options.window ?? WINDOW;
  const pumpId = randomBytes(6).toString("hex");
  const placeOf = (of: number): string => `${inbox}.${pumpId}-${String(of)}.`;
  const marks = openOutboxMarks({ outbox, clock, version: () => port.serverVersion });
  const checkSize = watchOutboxSize(outbox, log);

  let life = 0;
  /** Where acknowledgements of this connection come, up to the number of the record. */
  let place = placeOf(0);
  let flights: Flights = openFlights(1);
  let state: PumpState = "flowing";
  let why: string | null = null;
  let pauseMs = 0;
  let resumeAt = 0;
  /** While the stream does not answer, one record at a time asks whether it is back. */
  let probing = false;
  let activeAt = clock.monotonic();
  let begun = false;
  /** Whether the link was lost since the last begin: the server may have forgotten what it acknowledged. */
  let isCut = false;
  /** Records the stream would not take under an id that it remembers, and how many ids each has had. */
  const renamed = new Map<number, number>();
  let failed = false;
  let closed = false;
  let timer: NodeJS.Timeout | null = null;

  const begin = (): void => {
    life += 1;
    place = placeOf(life);
    probing = true;
    resumeAt = 0;
    flights = marks.begin();
    begun = true;
    isCut = false;
  };
  const mayLetGo = (): boolean => begun && !isCut && port.connected();
  const pause = (next: PumpState, reason: string, ms: number): void => {
    if (state !== next || why !== reason) {
      const tell = next === "blocked" ? "error" : "info";
      log[tell]({ session: outbox.session, reason }, `records wait in ${outbox.session}'s outbox`);
    }
    state = next;
    why = reason;
    probing = true;
    resumeAt = clock.monotonic() + ms;
    for (const flight of flights.all()) flight.sentAt = Number.NEGATIVE_INFINITY;
  };
  const flow = (): void => {
    if (state !== "flowing") log.info({ session: outbox.session }, "records leave again");
    state = "flowing";
    why = null;
    probing = false;
    pauseMs = 0;
    resumeAt = 0;
  };

  const publish = (row: OutboxRow): "sent" | "aside" | "stopped" => {
    const message = encode(row);
    if (message === null) {
      setAside(row, "its header cannot be read");
      return "aside";
    }
    const { subject, data } = message;
    const again = renamed.get(row.n) ?? 0;
    const headers = again === 0 ? message.headers : underOtherId(message.headers, again);
    const outcome = port.publish(subject, data, { headers, reply: place + String(row.n) });
    if (outcome !== "too_large") return outcome === "sent" ? "sent" : "stopped";
    setAside(row, `larger than the ${String(port.maxPayloadBytes)} bytes this server takes`);
    return "aside";
  };
  const setAside = (row: OutboxRow, reason: string): void => {
    flights.land(row.n);
    if (row.parked !== null) return;
    flights.skip(row.n);
    marks.park(row, reason);
    log.error({ session: outbox.session, n: row.n, reason }, "a record was set aside");
  };

  const answered = (n: number, ack: PubAck): void => {
    if (ack.kind === "transient") return waitFor(ack.why);
    if (ack.kind === "refused") return pause("blocked", ack.why, REFUSED_PAUSE_MS);
    if (ack.kind === "remembered") {
      renamed.set(n, (renamed.get(n) ?? 0) + 1);
      return waitFor(ack.why);
    }
    const flight = flights.land(n);
    if (flight === undefined) return;
    renamed.delete(n);
    if (ack.kind === "never") setAside(flight.row, ack.why);
    else marks.taken(flight.row, ack.duplicate);
    flow();
  };
  /** One pause for all that fail at once; each further one is longer. */
  const waitFor = (reason: string): void => {
    if (clock.monotonic() < resumeAt) return;
    pauseMs = Math.min(Math.max(pauseMs * 2, LEAST_PAUSE_MS), MOST_PAUSE_MS);
    pause("waiting", reason, pauseMs);
  };

  const hear = (delivery: BusDelivery): void => {
    const { subject } = delivery;
    if (closed || !subject.startsWith(place)) return;
    answered(Number(subject.slice(place.length)), readPubAck(delivery));
    // Half a window at a time costs half of what one by one does, and the stream has the other half meanwhile.
    if (probing || flights.size <= most / 2) turnSoon();
  };
  const follow = (event: BusEvent): void => {
    if (event.kind === "disconnected") isCut = true;
    else if (event.kind === "reconnected") begun = false;
    else if (event.kind === "publish_refused" && event.subject.startsWith(own)) {
      pause("blocked", `the server does not let it publish ${event.subject}`, REFUSED_PAUSE_MS * 6);
    }
  };

  const resend = (now: number): void => {
    const due = flights.dueBefore(now - ACK_WAIT_MS);
    const [first] = due;
    if (first === undefined || (probing && due.length < flights.size)) return;
    if (Number.isFinite(first.sentAt)) {
      return waitFor(`no acknowledgement within ${String(ACK_WAIT_MS)} ms`);
    }
    for (const flight of probing ? [first] : due) {
      if (publish(flight.row) === "stopped") return;
      flight.sentAt = now;
    }
  };
  const fill = (now: number): void => {
    const limit = probing ? 1 : most;
    while (flights.size < limit) {
      const rows = marks.read(flights, limit - flights.size);
      if (rows.length === 0) return;
      for (const row of rows) {
        const outcome = publish(row);
        if (outcome === "stopped") return;
        if (outcome === "sent") flights.add(row, now);
      }
    }
  };
  const turn = (): void => {
    const now = clock.monotonic();
    if (!begun && port.connected()) begin();
    if (port.connected() && now >= resumeAt) {
      resend(now);
      if (now >= resumeAt) fill(now);
    }
    if (!begun) return;
    if (flights.size > 0) activeAt = now;
    if (mayLetGo()) marks.flush(flights.settledUpTo);
    checkSize();
  };
  const guardedTurn = (): void => {
    timer = null;
    try {
      turn();
      failed = false;
    } catch (error) {
      if (!failed) log.error({ session: outbox.session, err: error }, "an outbox cannot be read");
      failed = true;
    }
    schedule();
  };
  const schedule = (): void => {
    if (closed || timer !== null) return;
    const idle = clock.monotonic() - activeAt > IDLE_AFTER_MS;
    timer = setTimeout(guardedTurn, idle ? IDLE_TURN_MS : BUSY_TURN_MS).unref();
  };
  let soon = false;
  const turnSoon = (): void => {
    if (soon) return;
    soon = true;
    setImmediate(() => {
      soon = false;
      if (closed) return;
      if (timer !== null) clearTimeout(timer);
      guardedTurn();
    });
  };

  const standing = port.subscribe(`${inbox}.*.*`, hear);
  const unlisten = port.onEvent(follow);
  const isDrained = (): boolean =>
    begun && flights.size === 0 && flights.next > outbox.read.head().n;
  turnSoon();
  return {
    status: () => ({
      state,
      why,
      waiting: Math.max(0, outbox.read.head().n - flights.settledUpTo),
      parked: outbox.read.outboxState().parked,
    }),
    wake: turnSoon,
    isEmpty: () => marks.isEmpty(),
    drain: async (timeoutMs) => {
      const deadline = clock.monotonic() + timeoutMs;
      turnSoon();
      await new Promise((resolve) => setImmediate(resolve));
      const goesOn = (): boolean => port.connected() && state === "flowing" && !closed;
      while (!isDrained() && goesOn() && clock.monotonic() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      return isDrained();
    },
    close: () => {
      if (closed) return;
      closed = true;
      if (timer !== null) clearTimeout(timer);
      standing.unsubscribe();
      unlisten();
      if (mayLetGo()) marks.flush(flights.settledUpTo, true);
    },
  };
}

function underOtherId(
  headers: Readonly<Record<string, string>>,
  again: number,
): Readonly<Record<string, string>> {
  const eventId = headers[MESSAGE_ID_HEADER] ?? "";
  return { ...headers, [MESSAGE_ID_HEADER]: messageIdOf(eventId, again) };
}

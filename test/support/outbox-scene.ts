import type { Clock, Log } from "../../src/ask/ports.ts";
import { type OutboxPump, openOutboxPump, type PumpOptions } from "../../src/bus/outbox-pump.ts";
import type { Journal, OutboxRow } from "../../src/journal/journal.ts";
import { aDraft, aFolder, openAt } from "./journal-parts.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import type { MemoryMessage, MemoryPermissions } from "./memory-port.ts";
import { headerOf } from "./record-chain.ts";

/** What a stream of a test says to a record; null says nothing. */
export type StreamAnswer = Readonly<Record<string, unknown>> | null;

/** An outbox with a pump on it, and a stream whose answers a test writes. */
export interface OutboxScene extends AsyncDisposable {
  readonly broker: MemoryBroker;
  readonly journal: Journal;
  readonly pump: OutboxPump;
  /** Messages on the audit subject so far. */
  sent(): readonly MemoryMessage[];
  /** Places of the records sent so far, in their order, repeats included. */
  sentPlaces(): readonly number[];
  /** How many refusals reached the pump's own connection so far. */
  refusals(): number;
  /** Moves the monotonic clock and the wall clock. */
  pass(ms: number): void;
  /** From now on the stream says this; undefined: there is no stream. */
  answer(by: ((message: MemoryMessage) => StreamAnswer) | undefined): void;
  /** What was logged, by level. */
  readonly told: readonly { readonly level: keyof Log; readonly text: string }[];
  record(count: number, body?: Readonly<Record<string, unknown>>): void;
  /** Closes the pump and opens another on the same outbox. */
  reopen(): OutboxPump;
}

/** Sets one up. The stream takes everything until a test says otherwise. */
export async function anOutbox(
  options: {
    readonly permissions?: MemoryPermissions;
    readonly serverVersion?: string;
    readonly maxPayloadBytes?: number;
    readonly pump?: Partial<PumpOptions>;
  } = {},
): Promise<OutboxScene> {
  const folder = aFolder();
  const journal = await openAt(folder.path);
  const broker = createMemoryBroker(options);
  const streamPort = broker.connect();
  const bus = memoryBus(broker, options);
  const told: { level: keyof Log; text: string }[] = [];
  const say = (level: keyof Log) => (_fields: object, text: string) =>
    void told.push({ level, text });
  const log: Log = {
    debug: say("debug"),
    info: say("info"),
    warn: say("warn"),
    error: say("error"),
  };
  let refusals = 0;
  bus.port.subscribe("af.v1.test.inbox.>", ({ data }) => {
    if (Buffer.from(data).includes("err_code")) refusals += 1;
  });
  let offset = 0;
  const clock: Clock = {
    now: () => Date.now() + offset,
    monotonic: () => performance.now() + offset,
  };
  const takes = (message: MemoryMessage): StreamAnswer => ({
    stream: "AUDIT",
    seq: 1,
    ...(seen.has(idOf(message)) ? { duplicate: true } : {}),
  });
  const seen = new Set<string>();
  let by: ((message: MemoryMessage) => StreamAnswer) | undefined = takes;
  const sent = (): readonly MemoryMessage[] =>
    broker.log.filter(({ subject }) => subject.startsWith("af.v1.test.audit."));
  let heard = 0;
  const hear = (): void => {
    const message = sent()[heard];
    heard += 1;
    const said = message === undefined ? null : (by?.(message) ?? null);
    if (message === undefined || said === null) return;
    if (!("error" in said)) seen.add(idOf(message));
    streamPort.publish(message.reply ?? "", Buffer.from(JSON.stringify(said)));
  };
  let standing = streamPort.subscribe("af.v1.test.audit.*.*", hear);
  const open = (): OutboxPump =>
    openOutboxPump({ bus, outbox: journal, clock, log, ...options.pump });
  let pump = open();
  return {
    broker,
    journal,
    get pump() {
      return pump;
    },
    sent,
    sentPlaces: () => sent().map(({ reply }) => Number(reply?.split(".").at(-1))),
    refusals: () => refusals,
    pass: (ms) => {
      offset += ms;
    },
    answer: (next) => {
      standing.unsubscribe();
      by = next;
      heard = sent().length;
      if (next !== undefined) standing = streamPort.subscribe("af.v1.test.audit.*.*", hear);
    },
    told,
    record: (count, body = { event: "audit.started" }) => {
      journal.write((tx) => {
        for (let k = 0; k < count; k += 1) tx.record(aDraft({ body }), clock.now());
      });
    },
    reopen: () => {
      pump.close();
      pump = open();
      return pump;
    },
    [Symbol.asyncDispose]: async () => {
      pump.close();
      await journal.close(false);
      folder[Symbol.dispose]();
    },
  };
}

/** The id by which a stream knows a record. */
function idOf({ headers }: MemoryMessage): string {
  return headers["Nats-Msg-Id"] ?? "";
}

/** Takes every record. */
export function takeIt(): StreamAnswer {
  return { stream: "AUDIT", seq: 1 };
}

/** Answers the record at each of these places, or every record for 0, as the list says, then takes everything. */
export function inTurn(
  place: number,
  answers: readonly StreamAnswer[],
): (message: MemoryMessage) => StreamAnswer {
  const left = [...answers];
  return (message) => {
    const at = Number(message.reply?.split(".").at(-1));
    const next = place === 0 || at === place ? left.shift() : undefined;
    return next === undefined ? takeIt() : next;
  };
}

/** The headers of a record's message, from what its outbox holds. */
export function messageHeaders(row: OutboxRow | undefined): Readonly<Record<string, string>> {
  if (row === undefined) return {};
  const { eventId, kind, session, time } = headerOf(row);
  return {
    "Nats-Msg-Id": eventId,
    "ce-specversion": "1.0",
    "ce-id": eventId,
    "ce-source": `/askfabric/af.v1.test/${session}`,
    "ce-type": `askfabric.${kind}`,
    "ce-time": new Date(time).toISOString(),
    "ce-datacontenttype": "application/json",
    "Af-Record": Buffer.from(row.header).toString("base64url"),
    "Af-Salt": Buffer.from(row.salt).toString("base64url"),
  };
}

/** A refusal of a stream. */
export function refusal(code: number, description: string): StreamAnswer {
  return { stream: "AUDIT", error: { code: 503, err_code: code, description } };
}

/** A stream of a cluster that is full: what it refused once it calls taken from then on, without having it. */
export function rememberingStream(): {
  readonly answer: (message: MemoryMessage) => StreamAnswer;
  makeRoom(): void;
} {
  const refused = new Set<string>();
  let full = true;
  return {
    answer: (message) => {
      const id = idOf(message);
      if (refused.has(id)) return { stream: "AUDIT", seq: 0, duplicate: true };
      if (!full) return takeIt();
      refused.add(id);
      return refusal(10_077, "maximum bytes exceeded");
    },
    makeRoom: () => {
      full = false;
    },
  };
}

import { createHash, createHmac } from "node:crypto";
import type { Ask } from "../../src/ask/ask.ts";
import type { Log } from "../../src/ask/ports.ts";
import { openChildLine } from "../../src/bus/child-line.ts";
import type {
  ChildInbound,
  ChildLine,
  ParentInbound,
  ParentLine,
  SealedAsk,
} from "../../src/bus/lines.ts";
import { openParentLine } from "../../src/bus/parent-line.ts";
import type { BusPort } from "../../src/bus/port.ts";
import { anAsk } from "./asks.ts";
import { createMemoryBroker, type MemoryBroker, memoryBus } from "./memory-bus.ts";
import { until } from "./until.ts";

/** A child's line on a broker in memory, what it heard, and a connection of whoever else is there. */
export interface ChildHarness {
  readonly broker: MemoryBroker;
  readonly child: ChildLine;
  readonly heard: ChildInbound[];
  readonly pending: Map<string, SealedAsk>;
  readonly stranger: BusPort;
  /** Seals an ask and lets it wait, without sending it. */
  hold(ask?: Ask): SealedAsk;
  /** Waits until everything that was published so far has been delivered. */
  settle(): Promise<void>;
}

interface ChildHarnessOptions {
  readonly session?: string;
  readonly maxPayloadBytes?: number;
  readonly log?: Log;
  /** Called for each inbound message before it is noted. */
  readonly onInbound?: (inbound: ChildInbound) => void;
}

/** Opens a child's line, `child-1` unless told, on a broker of its own. */
export function openChild(options: ChildHarnessOptions = {}): ChildHarness {
  const { maxPayloadBytes = 512 * 1024, log } = options;
  const broker = createMemoryBroker({ maxPayloadBytes });
  const heard: ChildInbound[] = [];
  const pending = new Map<string, SealedAsk>();
  const bus = memoryBus(broker);
  const child = openChildLine({
    bus,
    session: options.session ?? "child-1",
    pending: (requestId) => pending.get(requestId),
    onInbound: (inbound) => {
      options.onInbound?.(inbound);
      heard.push(inbound);
    },
    ...(log === undefined ? {} : { log }),
  });
  return {
    broker,
    child,
    heard,
    pending,
    stranger: memoryBus(broker).port,
    hold: (ask = anAsk()) => {
      const sealed = child.seal(ask);
      if (sealed === null) throw new Error("the ask does not fit");
      pending.set(ask.id, sealed);
      return sealed;
    },
    settle: async () => {
      await bus.port.flush(1_000);
    },
  };
}

/** A parent's line on a broker in memory, what it heard, and a connection of whoever else is there. */
export interface ParentHarness {
  readonly broker: MemoryBroker;
  readonly parent: ParentLine;
  readonly heard: ParentInbound[];
  readonly stranger: BusPort;
  /** Waits for the first inbound message of a kind. */
  first<K extends ParentInbound["kind"]>(kind: K): Promise<Extract<ParentInbound, { kind: K }>>;
  /** Waits until everything that was published so far has been delivered. */
  settle(): Promise<void>;
}

interface ParentHarnessOptions {
  readonly session?: string;
  readonly log?: Log;
  readonly onInbound?: (inbound: ParentInbound) => void;
}

/** Opens a parent's line, `parent-1` unless told, on a broker of its own. */
export function openParent(options: ParentHarnessOptions = {}): ParentHarness {
  const broker = createMemoryBroker({ maxPayloadBytes: 8 * 1024 * 1024 });
  const heard: ParentInbound[] = [];
  const bus = memoryBus(broker);
  const parent = openParentLine({
    bus,
    session: options.session ?? "parent-1",
    onInbound: (inbound) => {
      options.onInbound?.(inbound);
      heard.push(inbound);
    },
    ...(options.log === undefined ? {} : { log: options.log }),
  });
  return {
    broker,
    parent,
    heard,
    stranger: memoryBus(broker).port,
    first: async (kind) =>
      until(kind, () => heard.find((one) => one.kind === kind)) as Promise<never>,
    settle: async () => {
      await bus.port.flush(1_000);
    },
  };
}

/** The ask that {@link sayDec} speaks about unless told otherwise. */
const ASK = anAsk();

/** How something is said on a decision subject. */
export interface Said {
  readonly subject?: string;
  /** The header's value; null for no header. */
  readonly proof?: string | null;
}

/** The decision subject of the ask of tests. */
export const DEC = `af.v1.test.dec.parent-1.child-1.${ASK.id}`;

/** Lets somebody say something to the child, by default on {@link DEC} with the proof of that ask. */
export async function sayDec(at: ChildHarness, body: unknown, said: Said = {}): Promise<void> {
  const subject = said.subject ?? DEC;
  const raw = typeof body === "string" ? body : JSON.stringify(body);
  const proof = said.proof === undefined ? proofFor(ASK.nonce, subject, raw) : said.proof;
  const options = proof === null ? {} : { headers: { "Af-Proof": proof } };
  at.stranger.publish(subject, Buffer.from(raw), options);
  await at.settle();
}

/** A proof made by the platform's own functions, as any other program would make it. */
export function proofFor(nonce: string, subject: string, body: string | Uint8Array): string {
  const hmac = createHmac("sha256", Buffer.from(nonce, "base64url"));
  return hmac.update(subject).update("\0").update(body).digest("base64url");
}

/** SHA-256 in base64url by the platform's own functions. */
export function digestOf(body: string | Uint8Array): string {
  return createHash("sha256").update(body).digest("base64url");
}

/** A log that keeps what it was told, as text. */
export function keepLog(): Log & { readonly lines: string[] } {
  const lines: string[] = [];
  const keep = (fields: object, text: string): void => {
    const error = "err" in fields && fields.err instanceof Error ? fields.err.message : "";
    lines.push(`${JSON.stringify(fields)} ${error} ${text}`);
  };
  return { lines, debug: keep, info: keep, warn: keep, error: keep };
}

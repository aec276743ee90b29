import { randomBytes } from "node:crypto";
import type { Ask } from "../../src/ask/ask.ts";
import type { CancelReason, ReceiptEffect } from "../../src/ask/messages.ts";
import { openChildLine } from "../../src/bus/child-line.ts";
import type { ChildInbound, ChildLine, SealedAsk } from "../../src/bus/lines.ts";
import { anAsk, aPayload } from "./asks.ts";
import { type MemoryBroker, memoryBus } from "./memory-bus.ts";
import type { MemoryPort } from "./memory-port.ts";

/** What a child hears about one ask. */
export type Heard = Exclude<ChildInbound, { kind: "presence" }>;

/** A child that does only what the test says, over the real line with real proofs. */
export interface ChildDouble {
  readonly session: string;
  readonly port: MemoryPort;
  readonly line: ChildLine;
  /** Everything heard, in order; only what the real line lets through. */
  readonly heard: ChildInbound[];
  /** Publishes a new ask and returns it. */
  ask(changes?: Partial<Ask>, remainingMs?: number): SealedAsk;
  /** Publishes the same bytes once more and waits for the answer again. */
  repeat(requestId: string, remainingMs?: number): void;
  /** Takes an ask back: from then on it waits here no more. */
  cancel(requestId: string, why?: CancelReason): void;
  /** Acknowledges the last decision heard about an id. */
  receipt(requestId: string, effect?: ReceiptEffect): void;
  /** Says that it lives. */
  announce(unheard?: readonly string[]): void;
  /** What was heard about one id, by kind. */
  about<K extends Heard["kind"]>(requestId: string, kind: K): Extract<Heard, { kind: K }>[];
}

let minted = 0;

/** Connects a child to a parent. */
export function childDouble(
  broker: MemoryBroker,
  session = "child-1",
  parent = "parent-1",
): ChildDouble {
  const bus = memoryBus(broker);
  const heard: ChildInbound[] = [];
  const asked = new Map<string, SealedAsk>();
  const pending = new Map<string, SealedAsk>();
  const line = openChildLine({
    bus,
    session,
    pending: (requestId) => pending.get(requestId),
    onInbound: (inbound) => heard.push(inbound),
  });
  const sealedOf = (requestId: string): SealedAsk => {
    const sealed = asked.get(requestId);
    if (sealed === undefined) throw new Error(`${requestId} was never asked`);
    return sealed;
  };
  const double: ChildDouble = {
    session,
    port: bus.port,
    line,
    heard,
    ask: (changes = {}, remainingMs = 600_000) => {
      minted += 1;
      const ask = askOf(session, parent, changes);
      const sealed = line.seal(ask);
      if (sealed === null) throw new Error("the ask does not fit");
      asked.set(ask.id, sealed);
      pending.set(ask.id, sealed);
      line.publishAsk(sealed, remainingMs);
      return sealed;
    },
    repeat: (requestId, remainingMs = 600_000) => {
      pending.set(requestId, sealedOf(requestId));
      line.publishAsk(sealedOf(requestId), remainingMs);
    },
    cancel: (requestId, why = "aborted") => {
      pending.delete(requestId);
      line.publishCancel(parent, { requestId, why });
    },
    receipt: (requestId, effect = "applied") => {
      const decisionDigest = double.about(requestId, "decision").at(-1)?.decisionDigest;
      if (decisionDigest === undefined) throw new Error(`${requestId} has no decision`);
      line.publishReceipt(parent, { requestId, decisionDigest, effect });
    },
    announce: (unheard) => {
      line.publishPresence(parent, {
        session,
        incarnation: "1.00",
        state: "up",
        serving: false,
        openAsks: pending.size,
        record: { n: 0, hash: "" },
        ...(unheard === undefined ? {} : { unheard }),
      });
    },
    about: <K extends Heard["kind"]>(requestId: string, kind: K) =>
      heard.filter(
        (one): one is Extract<Heard, { kind: K }> => one.kind === kind && idOf(one) === requestId,
      ),
  };
  return double;
}

/** The parts of an ask that say which command it is about. */
export function command(value: string, session = "child-1"): Partial<Ask> {
  const payload = aPayload();
  return {
    value,
    payload: { ...payload, request: { ...payload.request, value }, evidence: [] },
    accessIntent: {
      surface: "bash",
      matchValues: [value],
      boundaryValue: null,
      units: [{ value, floor: null, context: null }],
      requesterCwd: "/srv/wt/feature-x",
      principal: { sessionId: session, agentName: "reviewer" },
    },
    sessionApproval: { grants: [{ surface: "bash", pattern: value }] },
  };
}

function askOf(session: string, parent: string, changes: Partial<Ask>): Ask {
  const createdAt = Date.now();
  const agentName = changes.requesterAgentName ?? "reviewer";
  const { accessIntent, ...base } = anAsk();
  return {
    ...base,
    id: `perm-${String(minted)}`,
    createdAt,
    expiresAt: createdAt + 600_000,
    requesterSessionId: session,
    targetSessionId: parent,
    nonce: randomBytes(32).toString("base64url"),
    ...(accessIntent === undefined
      ? {}
      : { accessIntent: { ...accessIntent, principal: { sessionId: session, agentName } } }),
    ...changes,
  };
}

function idOf(heard: ChildInbound): string | null {
  if (heard.kind === "presence") return null;
  return "requestId" in heard ? heard.requestId : heard.message.requestId;
}

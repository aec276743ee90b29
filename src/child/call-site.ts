import type { RecordDraft } from "../ask/record.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { GateRequest } from "../gates/gate-request.ts";
import type { JournalWrites } from "../journal/journal.ts";
import type { DecisionEvent } from "../render/live-events.ts";
import type { Raised, Settlement } from "./raised.ts";
import { decisionEvent, type RecordSite } from "./records.ts";

/** A request with how it ended. */
export interface Settled {
  readonly raised: Raised;
  readonly settlement: Settlement;
}

/** One call on its way through the child. */
export interface CallSite {
  readonly call: ToolCall;
  readonly signal: AbortSignal | undefined;
  /** Life of its asks, in milliseconds. */
  readonly lifeMs: number;
  readonly records: RecordSite;
  readonly owed: OwedRecords;
  /** Requests that have ended, in order. */
  readonly settled: Settled[];
  /** How many of them observers have heard of. */
  told: number;
  /** The request that is being dealt with, and what was made of it; null before. */
  request: GateRequest | null;
  raised: Raised | null;
}

/** Tells observers of every request that has ended and was not told of before. */
export function tellSettled(
  tell: (event: DecisionEvent) => void,
  site: Pick<CallSite, "settled" | "told" | "records">,
): void {
  for (const { raised, settlement } of site.settled.slice(site.told)) {
    tell(decisionEvent(site.records, raised, settlement));
  }
  site.told = site.settled.length;
}

/** Records of a call that wait for its next transaction. */
export interface OwedRecords {
  /** Keeps the records that end a request, and the grant it used. */
  add(requestId: RequestId, drafts: readonly RecordDraft[], usedGrant?: string): void;
  /** Writes what is owed; it stays owed until `paid`. */
  write(tx: JournalWrites): void;
  /** What was written is durable. */
  paid(): void;
  /** The end of this request is durable without having been owed. */
  kept(requestId: RequestId): void;
  /** Drops what is owed about a request; true when its end is durable already. */
  drop(requestId: RequestId): boolean;
  isEmpty(): boolean;
}

/** Opens an empty list of owed records. */
export function oweRecords(now: () => number): OwedRecords {
  const durable = new Set<RequestId>();
  let owed: {
    readonly requestId: RequestId;
    readonly drafts: readonly RecordDraft[];
    readonly usedGrant: string | undefined;
  }[] = [];
  return {
    add: (requestId, drafts, usedGrant) => {
      owed.push({ requestId, drafts, usedGrant });
    },
    write: (tx) => {
      for (const { drafts, usedGrant } of owed) {
        for (const draft of drafts) tx.record(draft, now());
        if (usedGrant !== undefined) tx.countGrantUse(usedGrant);
      }
    },
    paid: () => {
      for (const { requestId } of owed) durable.add(requestId);
      owed = [];
    },
    kept: (requestId) => durable.add(requestId),
    drop: (requestId) => {
      owed = owed.filter((entry) => entry.requestId !== requestId);
      return durable.has(requestId);
    },
    isEmpty: () => owed.length === 0,
  };
}

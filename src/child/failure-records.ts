import type { RecordDraft } from "../ask/record.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { DecisionEvent } from "../render/live-events.ts";
import type { CallSite } from "./call-site.ts";
import { lostEntry } from "./lost-entry.ts";
import type { ChildParts } from "./parts.ts";
import type { Settlement } from "./raised.ts";
import { decisionEvent, endRecords, type RecordSite, wayEntry } from "./records.ts";

/** A call whose check failed inside, with the request that takes the failure. */
export interface Failed {
  /** Null when not even the call could be read. */
  readonly site: CallSite | null;
  readonly requestId: RequestId;
  readonly settlement: Extract<Settlement, { outcome: "lost" }>;
}

/** The records of a failure. A request whose end is durable already keeps that one and gets no second. */
export function failureRecords(
  parts: ChildParts,
  failed: Failed,
  isDurable: boolean,
): readonly RecordDraft[] {
  const { site, requestId, settlement } = failed;
  const { decidedBy, lost } = settlement;
  const records = recordSite(parts, failed);
  const error = lostEntry(records, requestId, lost, { decidedBy });
  if (isDurable) return [error];
  if (site?.raised != null) return [error, ...endRecords(records, site.raised, settlement)];
  const event = failureEvent(parts, failed);
  return [
    error,
    wayEntry(records, "permission_request.blocked", requestId, {
      agentName: records.agentName,
      resolution: event.resolution,
      decidedBy,
      lost,
    }),
    records.draft("decision", requestId, { ...event, decidedBy, lost }),
  ];
}

/** The live event of a failure. */
export function failureEvent(parts: ChildParts, failed: Failed): DecisionEvent {
  const { site, requestId, settlement } = failed;
  const records = recordSite(parts, failed);
  if (site?.raised != null) return decisionEvent(records, site.raised, settlement);
  return {
    requestId,
    surface: null,
    value: null,
    agentName: records.agentName,
    result: "deny",
    resolution: settlement.lost === "gate_error" ? "gate_error" : "confirmation_unavailable",
    origin: null,
    matchedPattern: null,
  };
}

function recordSite({ draft, self }: ChildParts, { site }: Failed): RecordSite {
  return site?.records ?? { draft, agentName: self.agentName, toolCallId: null };
}

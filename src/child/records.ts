import type { DecisionSource } from "../ask/decision.ts";
import type { Grant } from "../ask/grant.ts";
import type { Decision } from "../ask/messages.ts";
import type { RecordDraft, ReviewEvent } from "../ask/record.ts";
import type { DecisionEvent } from "../render/live-events.ts";
import type { Drafter } from "./parts.ts";
import { type Raised, requestOutcome, type Settlement } from "./raised.ts";

/** What every record of one call has in common. */
export interface RecordSite {
  readonly draft: Drafter;
  readonly agentName: string | null;
  /** The host's own id of the call: in review entries only. Null when it gave none. */
  readonly toolCallId: string | null;
}

/** A review entry about one request, with what the request is about. */
export function requestEntry(
  site: RecordSite,
  event: ReviewEvent,
  raised: Raised,
  fields: Readonly<Record<string, unknown>> = {},
): RecordDraft {
  const { request, payload } = raised;
  const { requester: _requester, ...facts } = payload.request;
  return site.draft("review", request.requestId, {
    event,
    requestId: request.requestId,
    toolCallId: site.toolCallId,
    source: request.source,
    agentName: site.agentName,
    ...facts,
    ...fields,
  });
}

/** A review entry about the way of one request to another session. */
export function wayEntry(
  site: RecordSite,
  event: ReviewEvent,
  requestId: string,
  fields: Readonly<Record<string, unknown>>,
): RecordDraft {
  return site.draft("review", requestId, {
    event,
    requestId,
    toolCallId: site.toolCallId,
    ...fields,
  });
}

/** The entry that a decision came from another session. */
export function responseEntry(
  site: RecordSite,
  response: {
    readonly requestId: string;
    readonly targetSessionId: string;
    readonly decision: Decision;
    readonly decisionDigest: string;
  },
): RecordDraft {
  const { requestId, targetSessionId, decision, decisionDigest } = response;
  return wayEntry(site, "forwarded_permission.response_received", requestId, {
    targetSessionId,
    responderSessionId: decision.responderSessionId,
    incarnation: decision.incarnation,
    approved: decision.approved,
    state: decision.state,
    denialReason: decision.denialReason ?? null,
    decidedBy: decision.decidedBy,
    respondedAt: decision.respondedAt,
    via: decision.via ?? [],
    decisionDigest,
  });
}

/** The entry that a request waits for somebody, with everything it can be judged by again. */
export function waitingEntry(site: RecordSite, raised: Raised): RecordDraft {
  const { request, payload, suggestion } = raised;
  return requestEntry(site, "permission_request.waiting", raised, {
    kind: payload.kind,
    display: request.display,
    accessIntent: request.facts,
    sessionApproval: suggestion,
  });
}

/** The records that a request has ended: a review entry, where its kind of end has one, and the decision. */
export function endRecords(
  site: RecordSite,
  raised: Raised,
  settlement: Settlement,
): readonly RecordDraft[] {
  const { decidedBy, lost, denialReason } = settlement;
  const entry = reviewOf(settlement);
  const told = decisionEvent(site, raised, settlement);
  const decision = site.draft("decision", raised.request.requestId, {
    ...told,
    decidedBy,
    ...(lost === undefined ? {} : { lost }),
  });
  if (entry === null) return [decision];
  const fields = {
    resolution: entry.resolution,
    decidedBy,
    ...(lost === undefined ? {} : { lost }),
    ...(denialReason === undefined ? {} : { denialReason }),
  };
  return [requestEntry(site, entry.event, raised, fields), decision];
}

/** The live event that a request has ended. Names no decider. */
export function decisionEvent(
  site: Pick<RecordSite, "agentName">,
  raised: Raised,
  settlement: Settlement,
): DecisionEvent {
  const { requestId, surface, value, resolution } = requestOutcome(raised, settlement);
  const { origin, matchedPattern } = raised.verdict;
  return Object.freeze({
    requestId,
    surface,
    value,
    agentName: site.agentName,
    result: settlement.outcome === "allowed" ? "allow" : "deny",
    resolution,
    origin,
    matchedPattern,
  });
}

/** The entry that an approval left a grant behind. */
export function grantEntry(site: RecordSite, grant: Grant): RecordDraft {
  const { requestId, grantId, surface, pattern, width, grantedBy, grantedAt, expiresAt } = grant;
  return wayEntry(site, "grant.recorded", requestId, {
    grantId,
    surface,
    pattern,
    width,
    scope: "child_session",
    grantedBy,
    grantedAt,
    expiresAt,
  });
}

/** How a review entry names an end; null for a plain allow of a rule, which has none. */
function reviewOf(settlement: Settlement): EntryName | null {
  const { outcome, decidedBy, lost, state } = settlement;
  if (outcome === "lost") {
    const resolution = lost === "gate_error" ? "gate_error" : "confirmation_unavailable";
    return { event: "permission_request.blocked", resolution };
  }
  if (state !== undefined) {
    const event =
      outcome === "allowed" ? "permission_request.approved" : "permission_request.denied";
    return { event, resolution: state };
  }
  if (outcome === "denied") {
    return { event: "permission_request.blocked", resolution: "policy_denied" };
  }
  return ALLOWED[decidedBy.kind] ?? null;
}

/** The allows of this machine that have a review entry: all but those of a plain rule. */
const ALLOWED: Readonly<Partial<Record<DecisionSource["kind"], EntryName>>> = {
  session_approval: {
    event: "permission_request.session_approved",
    resolution: "session_approved",
  },
  yolo: { event: "permission_request.auto_approved", resolution: "auto_approved" },
  infrastructure_read: {
    event: "permission_request.infrastructure_auto_allowed",
    resolution: "infrastructure_auto_allowed",
  },
};

interface EntryName {
  readonly event: ReviewEvent;
  readonly resolution: string;
}

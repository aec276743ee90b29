import type { ReviewEvent } from "../ask/record.ts";
import { type ReadableRecord, textIn } from "./read-record.ts";

/** The steps of the ask protocol that records tell of, in the order in which each can first happen. */
export const STEPS = [
  "raised",
  "sent",
  "received",
  "accepted",
  "judged",
  "shown",
  "ruled",
  "answered",
  "ended",
  "after",
] as const;

/** One of {@link STEPS}. */
export type Step = (typeof STEPS)[number];

const STEP_OF: ReadonlyMap<string, Step> = new Map(
  Object.entries({
    "permission_request.waiting": "raised",
    "permission_request.approved": "ended",
    "permission_request.denied": "ended",
    "permission_request.session_approved": "ended",
    "permission_request.auto_approved": "ended",
    "permission_request.infrastructure_auto_allowed": "ended",
    "permission_request.blocked": "ended",
    "forwarded_permission.request_created": "sent",
    "forwarded_permission.response_received": "answered",
    "forwarded_permission.response_timed_out": "answered",
    "forwarded_permission.no_serving_session": "answered",
    "forwarded_permission.prompted": "shown",
    "forwarded_permission.auto_approved": "ruled",
    "forwarded_permission.auto_denied": "ruled",
    "forwarded_permission.session_recorded": "ruled",
    "forwarded_permission.approved": "ruled",
    "forwarded_permission.denied": "ruled",
    "forwarded_permission.late_decision": "after",
    authorizer_chain_resolved: "judged",
    authorizer_chain_delegated: "judged",
    authorizer_chain_unregistered_link: "judged",
    authorizer_link_failed: "judged",
    authorizer_link_vacant: "judged",
  } as const satisfies Partial<Record<ReviewEvent, Step>>),
);

/** Events that a child and a parent both write; what tells them apart is whom they name. */
const OF_EITHER: ReadonlyMap<string, readonly [child: Step, parent: Step]> = new Map([
  ["forwarded_permission.accepted", ["accepted", "received"]],
  ["forwarded_permission.cancelled", ["answered", "ruled"]],
  ["permission_forwarding.warning", ["answered", "judged"]],
  ["permission_forwarding.error", ["answered", "judged"]],
  ["grant.recorded", ["answered", "ruled"]],
]);

/** The step a record tells of. */
export function stepOf(record: ReadableRecord): Step {
  const { kind } = record.head;
  if (kind === "ui_prompt") return "shown";
  if (kind === "decision") return isServed(record) ? "ruled" : "ended";
  const event = textIn(record, "event") ?? "";
  const pair = OF_EITHER.get(event);
  if (pair !== undefined) return textIn(record, "targetSessionId") !== null ? pair[0] : pair[1];
  return STEP_OF.get(event) ?? "after";
}

/** Says whether a decision was made for another session. */
function isServed({ content }: ReadableRecord): boolean {
  return content !== null && Object.hasOwn(content, "forwarding");
}

import type { LostReason } from "../ask/lost.ts";
import type { RecordDraft, ReviewEvent } from "../ask/record.ts";
import { type RecordSite, wayEntry } from "./records.ts";

/** The losses that have an entry of their own. */
const EVENTS: Readonly<Partial<Record<LostReason, ReviewEvent>>> = {
  timed_out: "forwarded_permission.response_timed_out",
  not_serving: "forwarded_permission.no_serving_session",
  cancelled: "forwarded_permission.cancelled",
  gate_error: "permission_forwarding.error",
  audit_unavailable: "permission_forwarding.error",
  version_mismatch: "permission_forwarding.error",
  ask_malformed: "permission_forwarding.error",
};

/** The entry that a request's way to another session ended without a ruling, and why. */
export function lostEntry(
  site: RecordSite,
  requestId: string,
  lost: LostReason,
  fields: Readonly<Record<string, unknown>>,
): RecordDraft {
  const event = EVENTS[lost] ?? "permission_forwarding.warning";
  return wayEntry(site, event, requestId, { lost, ...fields });
}

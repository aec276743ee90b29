/** Why an ask ended without anybody ruling. Closed list, on the wire and in records. */
export const LOST_REASONS = [
  "no_target",
  "self_target",
  "not_serving",
  "timed_out",
  "cancelled",
  "parent_shut_down",
  "ask_too_large",
  "ask_malformed",
  "version_mismatch",
  "permission_refused",
  "bus_unreachable",
  "loop",
  "too_deep",
  "rid_conflict",
  "frozen",
  "audit_unavailable",
  "gate_error",
] as const;

/** One of {@link LOST_REASONS}. A lost ask is a refusal, never a person's denial. */
export type LostReason = (typeof LOST_REASONS)[number];

/** Says whether `text` names a lost reason. */
export function isLostReason(text: string): text is LostReason {
  return (LOST_REASONS as readonly string[]).includes(text);
}

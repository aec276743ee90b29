import type { Incarnation } from "./messages.ts";
import type { RequestId } from "./request-id.ts";

/** The kinds of record. */
export const RECORD_KINDS = ["review", "ui_prompt", "decision"] as const;

/** One of {@link RECORD_KINDS}. */
export type RecordKind = (typeof RECORD_KINDS)[number];

/** The events a review entry can tell of. */
export const REVIEW_EVENTS = [
  "permission_request.waiting",
  "permission_request.approved",
  "permission_request.denied",
  "permission_request.session_approved",
  "permission_request.auto_approved",
  "permission_request.infrastructure_auto_allowed",
  "permission_request.blocked",
  "forwarded_permission.request_created",
  "forwarded_permission.accepted",
  "forwarded_permission.response_received",
  "forwarded_permission.response_timed_out",
  "forwarded_permission.no_serving_session",
  "forwarded_permission.cancelled",
  "forwarded_permission.prompted",
  "forwarded_permission.auto_approved",
  "forwarded_permission.auto_denied",
  "forwarded_permission.session_recorded",
  "forwarded_permission.approved",
  "forwarded_permission.denied",
  "forwarded_permission.late_decision",
  "forwarded_permission.serving_started",
  "forwarded_permission.serving_stopped",
  "forwarded_permission.relay_started",
  "forwarded_permission.relay_stopped",
  "permission_forwarding.warning",
  "permission_forwarding.error",
  "authorizer_chain_resolved",
  "authorizer_chain_delegated",
  "authorizer_chain_unregistered_link",
  "authorizer_link_failed",
  "authorizer_link_vacant",
  "grant.recorded",
  "grant.revoked",
  "grant.expired",
  "freeze.applied",
  "freeze.lifted",
  "operator.answered",
  "operator.refused",
  "config.resolved",
  "config.issue",
  "audit.started",
  "audit.stopped",
  "audit.gap",
  "audit.oversize",
] as const;

/** One of {@link REVIEW_EVENTS}. */
export type ReviewEvent = (typeof REVIEW_EVENTS)[number];

/** Events that a program tells of itself, and not a role of an ask. */
export type NoteEvent = Extract<ReviewEvent, `config.${string}`>;

/** A record before the journal gives it its place in the chain. */
export interface RecordDraft {
  readonly kind: RecordKind;
  /** Null for records that belong to no ask. */
  readonly requestId: RequestId | null;
  /** JSON-safe, already bounded and masked. A review entry names its event under `event`. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Size of every record's salt. Fixed, so that no byte of a body can pass for one of its salt's. */
export const RECORD_SALT_BYTES = 16;

/** The part of a record that stays when its body is erased. Kept as its JSON bytes in this key order. */
export interface RecordHeader {
  /** 128 random bits in hex. */
  readonly eventId: string;
  readonly session: string;
  /** Place in the session's chain, from 1, without a gap across processes. */
  readonly n: number;
  /** Base64url SHA-256 of the previous record's header bytes; null for the first. */
  readonly prev: string | null;
  readonly kind: RecordKind;
  /** Epoch milliseconds on the session's clock. */
  readonly time: number;
  readonly requestId: RequestId | null;
  readonly incarnation: Incarnation;
  /** Base64url SHA-256 of the salt's bytes followed by the body's bytes. */
  readonly bodyDigest: string;
}

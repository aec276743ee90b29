import type { DecisionSource } from "../src/ask/decision.ts";
import { effectiveDecider } from "../src/ask/decision.ts";
import type { LostReason } from "../src/ask/lost.ts";
import type { RequestOutcome } from "../src/ask/outcome.ts";

/** What a record is named by: the event of a review entry, else its kind. A pair is either of the two. */
export type Entry = string | readonly [string, string];

/** The entries that a request which took some path leaves on each node. */
export interface Expectation {
  readonly child: readonly Entry[];
  readonly parent: readonly Entry[];
}

const SENT = ["permission_request.waiting", "forwarded_permission.request_created"];
const TAKEN = [...SENT, "forwarded_permission.accepted"];
const HEARD = "forwarded_permission.response_received";
const APPROVED = [HEARD, "permission_request.approved", "decision"];
const DENIED = [HEARD, "permission_request.denied", "decision"];
const LOST = ["permission_request.blocked", "decision"];
const SHOWN = [
  "forwarded_permission.accepted",
  "forwarded_permission.prompted",
  "ui_prompt",
] as const;
const JUDGED = ["forwarded_permission.accepted", "authorizer_chain_resolved"];

/** Every path a request can take and what it leaves, by the names that records have. */
export const PATHS = {
  "allowed by a rule of the child": { child: ["decision"], parent: [] },
  "denied by a rule of the child": { child: LOST, parent: [] },
  "allowed by a grant of the child": {
    child: ["permission_request.session_approved", "decision"],
    parent: [],
  },
  "allowed by the child's yolo mode": {
    child: ["permission_request.auto_approved", "decision"],
    parent: [],
  },
  "allowed as a read of the host's own files": {
    child: ["permission_request.infrastructure_auto_allowed", "decision"],
    parent: [],
  },
  "allowed by a rule of the parent": {
    child: [...SENT, ...APPROVED],
    parent: ["forwarded_permission.auto_approved"],
  },
  "denied by a rule of the parent": {
    child: [...SENT, ...DENIED],
    parent: ["forwarded_permission.auto_denied"],
  },
  "allowed by a grant of the parent": {
    child: [...SENT, ...APPROVED],
    parent: ["forwarded_permission.auto_approved"],
  },
  "allowed by a link": {
    child: [...TAKEN, ...APPROVED],
    parent: [...JUDGED, "forwarded_permission.approved", "decision"],
  },
  "denied by a link": {
    child: [...TAKEN, ...DENIED],
    parent: [...JUDGED, "forwarded_permission.denied", "decision"],
  },
  "allowed once by a person": {
    child: [...TAKEN, ...APPROVED],
    parent: [...SHOWN, "forwarded_permission.approved", "decision"],
  },
  "allowed for the session by a person": {
    child: [...TAKEN, ...APPROVED, "grant.recorded"],
    parent: [...SHOWN, "forwarded_permission.approved", "decision"],
  },
  "denied by a person": {
    child: [...TAKEN, ...DENIED],
    parent: [...SHOWN, "forwarded_permission.denied", "decision"],
  },
  "lost, since nobody serves": {
    child: [...SENT, "forwarded_permission.no_serving_session", ...LOST],
    parent: [],
  },
  "lost, since nobody answered in time": {
    child: [...SENT, "forwarded_permission.response_timed_out", ...LOST],
    parent: [],
  },
  "lost, since it was taken back": {
    child: [...SENT, "forwarded_permission.cancelled", ...LOST],
    parent: [],
  },
  "lost, since the parent had nobody to ask": {
    child: [...TAKEN, HEARD, ...LOST],
    parent: ["forwarded_permission.accepted", "forwarded_permission.denied", "decision"],
  },
  "lost for another reason": {
    child: [["permission_forwarding.warning", "permission_forwarding.error"], ...LOST],
    parent: [],
  },
} as const satisfies Readonly<Record<string, Expectation>>;

/** One of {@link PATHS}. */
export type PathName = keyof typeof PATHS;

/** What an entry on a node asks of the entries beside it, on whatever path. */
export const IMPLIED: readonly {
  readonly on: keyof Expectation;
  readonly entry: string;
  readonly needs: Expectation;
}[] = [
  {
    // An ask that reached the chain or the terminal gets its decision there, whatever ends it.
    on: "parent",
    entry: "forwarded_permission.accepted",
    needs: { child: SENT, parent: ["decision"] },
  },
  {
    on: "parent",
    entry: "ui_prompt",
    needs: { child: [], parent: [...SHOWN, "decision"] },
  },
  {
    on: "parent",
    entry: "forwarded_permission.prompted",
    needs: { child: [], parent: [...SHOWN, "decision"] },
  },
  {
    on: "child",
    entry: "forwarded_permission.accepted",
    needs: { child: SENT, parent: ["forwarded_permission.accepted"] },
  },
  {
    on: "parent",
    entry: "forwarded_permission.session_recorded",
    needs: { child: [], parent: ["forwarded_permission.approved", "grant.recorded"] },
  },
];

const LOST_PATHS: Readonly<Partial<Record<LostReason, PathName>>> = {
  not_serving: "lost, since nobody serves",
  timed_out: "lost, since nobody answered in time",
  cancelled: "lost, since it was taken back",
};

type Kind = DecisionSource["kind"];

/** Paths by outcome and decider; those of a request that left the child under `forwarded`. */
const DECIDED: Readonly<Record<string, PathName>> = {
  "allowed rule": "allowed by a rule of the child",
  "denied rule": "denied by a rule of the child",
  "allowed session_approval": "allowed by a grant of the child",
  "allowed yolo": "allowed by the child's yolo mode",
  "allowed infrastructure_read": "allowed as a read of the host's own files",
  "forwarded allowed rule": "allowed by a rule of the parent",
  "forwarded denied rule": "denied by a rule of the parent",
  "forwarded allowed session_approval": "allowed by a grant of the parent",
  "forwarded allowed authorizer": "allowed by a link",
  "forwarded denied authorizer": "denied by a link",
  "forwarded allowed user": "allowed once by a person",
  "forwarded denied user": "denied by a person",
};

/** The path that a request took by what its child says; null for one that the contract does not know. */
export function pathOf(request: RequestOutcome): PathName | null {
  const { outcome, decidedBy, lost, state } = request;
  // A decision came, and it says that nobody made it.
  if (outcome === "lost" && state !== undefined) return "lost, since the parent had nobody to ask";
  if (outcome === "lost") return LOST_PATHS[lost ?? "gate_error"] ?? "lost for another reason";
  if (state === "approved_for_session") return "allowed for the session by a person";
  const kind: Kind = effectiveDecider(decidedBy).kind;
  const way = decidedBy.kind === "forwarded" ? "forwarded " : "";
  return DECIDED[`${way}${outcome} ${kind}`] ?? null;
}

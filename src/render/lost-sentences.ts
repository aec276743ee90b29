import type { LostReason } from "../ask/lost.ts";

/** What is told of a lost ask: what happened, and what the reader can do. Clauses without a full stop. */
export interface LostSentence {
  readonly what: string;
  readonly todo: string;
}

/** One sentence per lost reason. They name nobody, because nobody ruled. */
export const LOST_SENTENCES: Readonly<Record<LostReason, LostSentence>> = {
  no_target: {
    what: "this session has no parent that could be asked",
    todo: "start it with --parent or ASKFABRIC_PARENT, or add a rule that settles the call",
  },
  self_target: {
    what: "this session is named as its own parent",
    todo: "name another session with --parent or ASKFABRIC_PARENT",
  },
  not_serving: {
    what: "no process serves the parent session",
    todo: "start `askfabric serve` for it, then try again",
  },
  timed_out: {
    what: "no answer came before the deadline",
    todo: "do not repeat the call at once; report that it went unanswered or go on without it",
  },
  cancelled: {
    what: "the call was taken back before an answer came",
    todo: "make the call again only if it is still wanted",
  },
  parent_shut_down: {
    what: "the parent session ended before it answered",
    todo: "start the parent session again, then try again",
  },
  ask_too_large: {
    what: "the request is larger than one message may be",
    todo: "split the call into smaller ones or pass its content by a file",
  },
  ask_malformed: {
    what: "the parent could not read the request",
    todo: "run the same askfabric version on both ends; `askfabric doctor` shows them",
  },
  version_mismatch: {
    what: "the two ends speak different revisions of the protocol",
    todo: "upgrade the parent first, then this session",
  },
  permission_refused: {
    what: "the NATS server does not let this session ask that parent",
    todo: "have its credential extended to that parent; `askfabric doctor` shows its rights",
  },
  bus_unreachable: {
    what: "the NATS server cannot be reached",
    todo: "check that it runs and that its address is right with `askfabric doctor`, then try again",
  },
  loop: {
    what: "the request came back to a session it had passed",
    todo: "correct the --parent settings so that they form no circle",
  },
  too_deep: {
    what: "the request passed more sessions than allowed",
    todo: "let this session ask a parent that is nearer to the root",
  },
  rid_conflict: {
    what: "its id already belongs to another request",
    todo: "make the call again, which gives it a fresh id",
  },
  frozen: {
    what: "the fleet is frozen and lets no call through",
    todo: "wait until the freeze is lifted",
  },
  audit_unavailable: {
    what: "its record could not be kept, and nothing runs unrecorded here",
    todo: "free space in the data folder or start the audit service, then try again",
  },
  gate_error: {
    what: "the permission check itself failed",
    todo: "look into the log under the request id before trying again",
  },
};

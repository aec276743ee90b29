import type {
  ControlAnswer,
  ControlOp,
  ControlRefusal,
  ControlRefused,
} from "../../ask/control.ts";
import type { ControlLine } from "../../bus/control-line.ts";
import type { Serving } from "../serving.ts";

/** What the ops of this room work on. */
export interface OperatorDesk {
  readonly serving: Serving;
  readonly line: ControlLine;
  /** Who was shown what, so that each showing is recorded once. */
  readonly shownTo: Set<string>;
}

/** An operator as the server attests it. */
export interface Operator {
  readonly name: string;
  readonly token: string;
}

/** An answer that changes nothing. */
export type Refusal = Extract<ControlAnswer, { op: "refused" }>;

const TEXTS: Readonly<Record<ControlRefusal, string>> = {
  malformed: "the session cannot read what was wanted; use a program of the same version",
  version_mismatch: "the session speaks revision 1; use a program of the same version",
  unknown_op: "the session does not know what was wanted; bring it to the operator's version",
  switched_off:
    "operators may not do that at this session; its configuration says so in operatorOps",
  not_an_operator: "a session cannot be an operator; use a name of its own for the operator",
  id_conflict: "this id stands for something else that was wanted; use a new id",
  unknown_request: "no ask has this id here; the list of pending asks shows those that are open",
  stale_digest: "what was shown is not what stands now; look at the ask again and answer that",
  not_with_a_person: "the ask is not with a person at this session",
  child_gone: "nothing is heard of its child, so nobody waits for an answer; look again later",
  ended: "this ask ended before the answer could count",
  unrecorded: "the answer could not be written to disk, so it does not count",
  view_incomplete: "not all evidence came along; to allow it all the same, say that this is known",
  no_grant_suggested: "this ask suggests no grant; allow it once",
  no_width: "only a grant over paths has a width; leave it out",
  unknown_grant: "no grant of this id is in force here; the list of grants shows those that are",
  failed: "the session failed over it; its log says why",
};

/** Refuses, with a sentence of its own where the usual one does not say enough. */
export function refuse(
  why: ControlRefusal,
  more: Partial<Omit<ControlRefused, "why">> = {},
): Refusal {
  return { op: "refused", refused: { why, text: TEXTS[why], ...more } };
}

/** Ops that change something. */
export const ACTS: ReadonlySet<ControlOp> = new Set(["answer", "revoke"]);

import { isLater } from "../ask/incarnation.ts";
import type { LostReason } from "../ask/lost.ts";
import type { Incarnation } from "../ask/messages.ts";
import { afterEnd, decided, ended, endedAtDeadline, isEnd, leaveParent, stay } from "./ask-end.ts";
import { cut, onTimer, published, publishNow, reconnected, served, unserved } from "./ask-link.ts";
import {
  type AskEvent,
  type AskEventKind,
  type AskState,
  type AskStatus,
  type AskStep,
  CUT_GRACE_MS,
  type Moment,
} from "./ask-status.ts";

/**
 * Moves an ask on by one event. Pure; every event is defined in every state, and one without an entry in
 * the table changes nothing.
 *
 * ```text
 *            journalled, published            accepted, progress
 *   created ───────────────────────► sent ─────────────────────────► accepted
 *      │                              │ │ decision       decision      │  │
 *      │                              │ └─────────► decided ◄──────────┘  │
 *      │                              │                │ unwritten        │
 *      └─────────────────────────────►└────► lost ◄────┴─────────────────►┘
 * ```
 *
 * | event              | created             | sent                     | accepted               | decided      | lost |
 * | ------------------ | ------------------- | ------------------------ | ---------------------- | ------------ | ---- |
 * | journalled         | publish             |                          |                        |              |      |
 * | unwritten          | lost as said        | lost as said             | lost as said           | lost as said |      |
 * | published sent     | → sent              | next repeat              | next repeat            |              |      |
 * | … disconnected     | cut                 | cut                      | cut                    |              |      |
 * | … too_large        | ask_too_large       | ask_too_large            | next repeat            |              |      |
 * | … closed           | bus_unreachable     | bus_unreachable          | bus_unreachable        |              |      |
 * | timer              | grace (1)           | repeat, grace (1)        | repeat                 |              |      |
 * | no_responders      |                     | not_serving (2, 6)       | repeat each second     |              |      |
 * | accepted, progress |                     | → accepted               | a later one counts too |              |      |
 * | decision           |                     | → decided                | → decided (3)          | receipt      | receipt |
 * | refused            |                     | lost as said (4)         | lost as said, proven   |              |      |
 * | withdrawn          |                     |                          |                        |              |      |
 * | unreadable         |                     | version_mismatch         | version_mismatch       |              |      |
 * | parent_returned    |                     | repeat at once           | repeat at once         |              |      |
 * | disconnected       |                     | cut                      | cut                    |              |      |
 * | reconnected, if cut| publish             | repeat at once           | repeat at once         |              |      |
 * | publish_refused    | permission_refused (6) | permission_refused (6) |                        |              |      |
 * | severed            | lost as said        | lost as said             | lost as said           |              |      |
 * | abort, shutdown    | cancelled           | cancelled                | cancelled              |              |      |
 * | past the deadline  | lost (5)            | lost (5)                 | timed_out              |              |      |
 *
 * 1. Without a connection for {@link CUT_GRACE_MS} before any `accepted`: `bus_unreachable`.
 * 2. When a 503 arrives `graceMs` or more after the first 503 of an unbroken run. A run is broken by a
 *    publish that no 503 answered before the next one, by a cut and by `accepted`; a publish is made exactly
 *    when the grace is over, so that its answer tells.
 * 3. From an incarnation that accepted. The first one pins; a later one, by its epoch, counts once it
 *    accepted as well. An ask that nobody accepted takes a decision from whoever proves to have seen it.
 * 4. Without a proof only `ask_malformed` and `version_mismatch`.
 * 5. `bus_unreachable` while cut, `not_serving` while 503 is the last answer, else `timed_out`. Looked at
 *    before any event, so that nothing which arrives after the deadline counts.
 * 6. Where another parent follows, the ask goes back to `created` and is put to that one instead.
 */
export function step(status: AskStatus, event: AskEvent, moment: Moment): AskStep {
  if (isEnd(status.state)) return afterEnd(status, event);
  if (moment.now < status.deadlineAt || event.kind === "unwritten") {
    return move(LIVE[status.state], status, event, moment);
  }
  const over = endedAtDeadline(status);
  const after = afterEnd(over.status, event);
  return { status: after.status, effects: [...over.effects, ...after.effects] };
}

/** When the machine wants its next `timer`, in monotonic milliseconds; null for an ask that has ended. */
export function nextTimer(status: AskStatus): number | null {
  if (isEnd(status.state)) return null;
  const { cutSince, publishAt } = status;
  const graced = cutSince !== null && status.state !== "accepted";
  const graceAt = graced ? cutSince + CUT_GRACE_MS : status.deadlineAt;
  return Math.min(status.deadlineAt, graceAt, publishAt ?? status.deadlineAt);
}

type Live = Exclude<AskState, "decided" | "lost">;

type Moves = {
  readonly [K in AskEventKind]: (status: AskStatus, event: AskEvent<K>, moment: Moment) => AskStep;
};

function move<K extends AskEventKind>(
  moves: Moves,
  status: AskStatus,
  event: AskEvent<K>,
  moment: Moment,
): AskStep {
  return moves[event.kind](status, event, moment);
}

const ON_THE_WAY = {
  journalled: stay,
  unwritten: (status, event) => ended(status, event.lost, "aborted"),
  published: (status, event, moment) => published(status, event.outcome, moment),
  timer: (status, _event, moment) => onTimer(status, moment),
  no_responders: (status, _event, moment) => unserved(status, moment),
  accepted: (status, event, moment) => accepted(status, event.incarnation, moment),
  progress: (status, event, moment) => accepted(status, event.incarnation, moment),
  decision: (status, event) => decided(status, event.decisionDigest),
  refused: (status, event) =>
    event.proven || UNPROVEN.has(event.lost) ? ended(status, event.lost, null) : stay(status),
  withdrawn: stay,
  unreadable: (status) => ended(status, "version_mismatch", "aborted"),
  parent_returned: (status) => (status.cutSince === null ? publishNow(status) : stay(status)),
  disconnected: (status, _event, moment) => cut(status, moment),
  reconnected,
  publish_refused: (status) => leaveParent(status, "permission_refused", "aborted"),
  severed: (status, event) => ended(status, event.lost, "aborted"),
  abort: (status, { why = "aborted" }) =>
    ended(status, why === "timed_out" ? why : "cancelled", why),
  shutdown: (status) => ended(status, "cancelled", "aborted"),
} satisfies Moves;

const LIVE: Readonly<Record<Live, Moves>> = {
  created: {
    ...ON_THE_WAY,
    journalled: (status, event, moment) =>
      event.connected ? publishNow(atParent(status)) : cut(atParent(status), moment),
    // Nothing has left yet: no message can be about this ask.
    no_responders: stay,
    accepted: stay,
    progress: stay,
    decision: stay,
    refused: stay,
    unreadable: stay,
    parent_returned: stay,
    disconnected: stay,
  },
  sent: ON_THE_WAY,
  accepted: {
    ...ON_THE_WAY,
    accepted: (status, event, moment) => acceptedAgain(status, event.incarnation, moment),
    progress: (status, event, moment) => acceptedAgain(status, event.incarnation, moment),
    decision: (status, event) =>
      status.acceptedBy.includes(event.incarnation)
        ? decided(status, event.decisionDigest)
        : stay(status),
    refused: (status, event) => (event.proven ? ended(status, event.lost, null) : stay(status)),
    publish_refused: stay,
  },
};

/** Nothing has left for this parent; a parent left before has its cancel in the journal. */
function atParent(status: AskStatus): AskStatus {
  return { ...status, unanswered: 0 };
}

const UNPROVEN: ReadonlySet<LostReason> = new Set(["ask_malformed", "version_mismatch"]);

function accepted(status: AskStatus, incarnation: Incarnation, moment: Moment): AskStep {
  return {
    status: {
      ...served(status, moment),
      state: "accepted",
      acceptedBy: [...status.acceptedBy, incarnation],
    },
    effects: [{ kind: "note_accepted", incarnation }],
  };
}

function acceptedAgain(status: AskStatus, incarnation: Incarnation, moment: Moment): AskStep {
  if (isLater(incarnation, status.acceptedBy.at(-1) ?? null)) {
    return accepted(status, incarnation, moment);
  }
  const known = status.acceptedBy.includes(incarnation);
  return stay(known && status.unservedSince !== null ? served(status, moment) : status);
}

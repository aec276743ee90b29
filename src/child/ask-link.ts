import type { PublishOutcome } from "../bus/port.ts";
import { ended, leaveParent, stay } from "./ask-end.ts";
import {
  type AskStatus,
  type AskStep,
  CUT_GRACE_MS,
  type Moment,
  REPEAT_ACCEPTED_MS,
  REPEAT_FIRST_MS,
  REPEAT_GONE_MS,
  REPEAT_MAX_MS,
} from "./ask-status.ts";

/** Asks for a publish at once; what became of it comes back as `published`. */
export function publishNow(status: AskStatus): AskStep {
  return { status, effects: [{ kind: "publish" }] };
}

/** Notes that there is no connection. What 503 had told is void then. */
export function cut(status: AskStatus, moment: Moment): AskStep {
  return stay({
    ...status,
    cutSince: status.cutSince ?? moment.now,
    publishAt: null,
    refusedLast: false,
    unservedSince: null,
  });
}

/** Notes that there is a connection again, and publishes on it. */
export function reconnected(status: AskStatus): AskStep {
  if (status.cutSince === null) return stay(status);
  return publishNow({ ...status, cutSince: null, pauseMs: REPEAT_FIRST_MS });
}

/** Notes that the parent serves, and that the next repeat of an accepted ask can wait. */
export function served(status: AskStatus, moment: Moment): AskStatus {
  return {
    ...status,
    refusedLast: false,
    unservedSince: null,
    publishAt: status.cutSince === null ? moment.now + acceptedPause(moment) : null,
  };
}

/** Repeats what is due, and ends an unaccepted ask that had no connection for its grace. */
export function onTimer(status: AskStatus, moment: Moment): AskStep {
  const { cutSince, publishAt, state } = status;
  if (cutSince !== null) {
    return state !== "accepted" && moment.now - cutSince >= CUT_GRACE_MS
      ? ended(status, "bus_unreachable", "timed_out")
      : stay(status);
  }
  return publishAt !== null && moment.now >= publishAt ? publishNow(status) : stay(status);
}

/** Notes what became of a publish. */
export function published(status: AskStatus, outcome: PublishOutcome, moment: Moment): AskStep {
  switch (outcome) {
    case "sent":
      return stay(handedOver(status, moment));
    case "disconnected":
      return cut(status, moment);
    case "too_large":
      return status.state === "accepted"
        ? stay({ ...status, publishAt: moment.now + acceptedPause(moment) })
        : ended(status, "ask_too_large", "aborted");
    case "closed":
      return ended(status, "bus_unreachable", "aborted");
  }
}

function handedOver(status: AskStatus, moment: Moment): AskStatus {
  const accepted = status.state === "accepted";
  // No 503 to the publish before this one: somebody was subscribed then, and a run of 503s is over.
  const unservedSince = status.refusedLast ? status.unservedSince : null;
  const acceptedMs = unservedSince === null ? acceptedPause(moment) : REPEAT_GONE_MS;
  return {
    ...status,
    state: accepted ? "accepted" : "sent",
    sentAt: status.sentAt ?? moment.now,
    unanswered: status.unanswered + 1,
    refusedLast: false,
    unservedSince,
    cutSince: null,
    publishAt: moment.now + (accepted ? acceptedMs : status.pauseMs),
    pauseMs: accepted ? status.pauseMs : Math.min(2 * status.pauseMs, REPEAT_MAX_MS),
  };
}

/** Notes a 503: the server says that nobody is subscribed. */
export function unserved(status: AskStatus, moment: Moment): AskStep {
  const unservedSince = status.unservedSince ?? moment.now;
  const next: AskStatus = {
    ...status,
    unanswered: Math.max(0, status.unanswered - 1),
    refusedLast: true,
    unservedSince,
  };
  if (status.cutSince !== null) return stay(status);
  if (status.state === "accepted") return stay({ ...next, publishAt: moment.now + REPEAT_GONE_MS });
  const graceAt = unservedSince + status.graceMs;
  if (moment.now >= graceAt) return leaveParent(next, "not_serving", "timed_out");
  return stay({ ...next, publishAt: Math.min(next.publishAt ?? graceAt, graceAt) });
}

function acceptedPause(moment: Moment): number {
  return REPEAT_ACCEPTED_MS * (1 + moment.roll);
}

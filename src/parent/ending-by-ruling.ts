import { randomUUID } from "node:crypto";
import type { Ask } from "../ask/ask.ts";
import { type DecisionSource, effectiveDecider, type Ruling } from "../ask/decision.ts";
import type { Grant } from "../ask/grant.ts";
import { isLostReason } from "../ask/lost.ts";
import type { GrantScope } from "../ask/ports.ts";
import type { ReviewEvent } from "../ask/record.ts";
import { buildServedDecision } from "../render/live-events.ts";
import { type Ending, type EndingOf, type EndWord, withTold } from "./ending.ts";
import { applyGrantScope, type ScopedRuling } from "./grant-scope.ts";
import { askEntry, grantEntry, linkFields } from "./records.ts";
import type { RuleRuling } from "./rule-book.ts";
import type { Serving } from "./serving.ts";

/** Life of a grant, in milliseconds. */
const GRANT_LIFE_MS = 8 * 60 * 60 * 1000;

/** The end of an ask that the rules of this node decided. */
export function endingByRules(serving: Serving, of: EndingOf, judged: RuleRuling): Ending {
  const { ruling, grantId } = judged;
  const event: ReviewEvent = ruling.approved
    ? "forwarded_permission.auto_approved"
    : "forwarded_permission.auto_denied";
  const scoped: ScopedRuling = { ruling, recorded: [], recordedState: ruling.state };
  return { ...decision(serving, of, scoped, event), usedGrant: grantId };
}

/** The end of an ask that a link or the terminal decided, with the grants it leaves behind. */
export function endingByRuling(
  serving: Serving,
  of: EndingOf,
  answer: {
    readonly ruling: Ruling;
    readonly scope: GrantScope;
    /** Sessions the answer passed, this one first; absent when it was made here. */
    readonly via?: readonly string[];
  },
): Ending {
  const scoped = applyGrantScope(answer.ruling, answer.scope, of.ask.sessionApproval ?? null);
  const event: ReviewEvent = scoped.ruling.approved
    ? "forwarded_permission.approved"
    : "forwarded_permission.denied";
  const ending = decision(serving, of, { ...scoped, via: answer.via }, event);
  const grants = grantsOf(serving, of.ask, answer.ruling, scoped);
  if (grants.length === 0) return ending;
  const recorded = grants.map(({ grantId, surface, pattern, width, expiresAt }) => ({
    grantId,
    surface,
    pattern,
    width,
    expiresAt,
  }));
  return {
    ...ending,
    grants,
    drafts: [
      ...ending.drafts,
      askEntry(serving.draft, "forwarded_permission.session_recorded", of.ask, {
        grants: recorded,
      }),
      ...grants.map((grant) => grantEntry(serving.draft, "grant.recorded", grant)),
    ],
  };
}

function decision(
  serving: Serving,
  of: EndingOf,
  scoped: ScopedRuling & { readonly via?: readonly string[] | undefined },
  event: ReviewEvent,
): Ending {
  const { ruling, recordedState, via } = scoped;
  const endedAt = serving.clock.now();
  const answer = serving.line.encode({
    kind: "decision",
    message: {
      requestId: of.ask.id,
      askDigest: of.askDigest,
      incarnation: serving.incarnation,
      ...ruling,
      responderSessionId: serving.session,
      respondedAt: endedAt,
      ...(via === undefined ? {} : { via }),
    },
  });
  const entry = askEntry(serving.draft, event, of.ask, {
    resolution: entryResolution(ruling, recordedState),
    decidedBy: ruling.decidedBy,
    ...linkFields(of),
    ...(via === undefined ? {} : { via }),
    ...(ruling.denialReason === undefined ? {} : { denialReason: ruling.denialReason }),
  });
  const told =
    of.details === null
      ? null
      : buildServedDecision(of.details, {
          approved: ruling.approved,
          state: recordedState,
          decidedBy: ruling.decidedBy,
        });
  return {
    event: "ruled",
    word: wordOf(effectiveDecider(ruling.decidedBy)),
    end: { kind: "decision", answer, endedAt },
    allows: ruling.approved,
    isSomebodys: isSomebodys(ruling),
    drafts: withTold(serving, of, entry, told),
    grants: [],
    usedGrant: null,
    told,
  };
}

/** Whether a ruling is a person's, here or behind another session: one that comes too late is recorded. */
export const isSomebodys = ({ decidedBy: { kind } }: Ruling): boolean =>
  kind === "user" || kind === "forwarded";

/** A failure or an absence is sent as a decision, and nobody decided. */
function wordOf(decider: DecisionSource): EndWord {
  if (decider.kind === "gate_error") return "gate_error";
  if (decider.kind !== "unavailable") return "decided";
  return isLostReason(decider.reason) ? decider.reason : "gate_error";
}

/** How a review entry names the outcome: its own vocabulary, not that of live events. */
function entryResolution(ruling: Ruling, recordedState: ScopedRuling["recordedState"]): string {
  switch (effectiveDecider(ruling.decidedBy).kind) {
    case "rule":
      return ruling.approved ? "auto_approved" : "policy_denied";
    case "session_approval":
      return "session_approved";
    case "yolo":
    case "infrastructure_read":
      return "auto_approved";
    case "unavailable":
      return "confirmation_unavailable";
    case "gate_error":
      return "gate_error";
    case "user":
    case "authorizer":
    case "forwarded":
      return recordedState;
  }
}

function grantsOf(
  serving: Serving,
  ask: Pick<Ask, "id">,
  ruling: Ruling,
  scoped: ScopedRuling,
): readonly Grant[] {
  const decider = effectiveDecider(ruling.decidedBy);
  const grantedAt = serving.clock.now();
  return scoped.recorded.map(({ surface, pattern }) => ({
    grantId: `grant-${randomUUID()}`,
    requestId: ask.id,
    surface,
    pattern,
    width: ruling.sessionGrantWidth ?? "proven",
    scope: "serving_session",
    grantedBy: decider.kind === "user" ? (decider.approver ?? null) : null,
    grantedAt,
    expiresAt: grantedAt + GRANT_LIFE_MS,
    uses: 0,
  }));
}

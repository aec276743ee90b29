import { isIncomplete } from "../../ask/carried.ts";
import type { ControlAnswer, ControlRefusal, WantsAnswer } from "../../ask/control.ts";
import type { DecisionSource, Ruling } from "../../ask/decision.ts";
import type { PromptPermissionDetails } from "../../ask/details.ts";
import { type GrantPattern, type GrantWidth, hasDirections } from "../../ask/grant.ts";
import type { GrantScope, RulingEffect, StandingEnd } from "../../ask/ports.ts";
import { sessionToken } from "../../bus/tokens.ts";
import type { ServedAskRow } from "../../journal/journal.ts";
import { askEntry } from "../records.ts";
import type { LiveAsk, Serving } from "../serving.ts";
import { settle } from "../stages.ts";
import { standingEnd } from "../standing-end.ts";
import { storedAsk } from "../stored.ts";
import { type Operator, type OperatorDesk, type Refusal, refuse } from "./operator.ts";
import { showing } from "./show.ts";

/**
 * Ends an ask by what a person answered from afar, on the way that the terminal's answer takes: whoever is first is
 * the one whose verdict stands, and the other one is told so.
 */
export function answerAsk(desk: OperatorDesk, by: Operator, wants: WantsAnswer): ControlAnswer {
  const { serving } = desk;
  const { requestId } = wants;
  serving.arrivals.settle();
  const row = serving.read.servedAsk(requestId);
  if (row === null) return refuse("unknown_request");
  if (isAmong(serving, row, by)) return refuse("not_an_operator");
  if (row.end !== null) return ended(standingEnd(serving, requestId));
  const live = serving.live.get(requestId);
  const withWhom = live === undefined ? RESTS : elsewhere(serving, live);
  if (live === undefined || withWhom !== null) return withWhom ?? RESTS;
  const { digest } = showing(desk, row);
  if (digest !== wants.digest) {
    const text = `what was shown is not what stands now (${digest}); look at the ask again and answer that`;
    return refuse("stale_digest", { digest, text });
  }
  const { details } = live;
  const fault = faultOf(details, wants);
  if (fault !== null) return refuse(fault);
  const decidedBy: DecisionSource = { kind: "user", via: "operator", approver: by.name };
  const effect = ruleAs(serving, live, { by, wants, decidedBy, details });
  return effect ?? { op: "answer", answered: { requestId, decidedBy } };
}

const RESTS = refuse("not_with_a_person", {
  text: "the ask rests: its child has not repeated it to this process yet; look again later",
});

function ended(stands: StandingEnd | null | undefined): Refusal {
  return refuse("ended", stands ? { stands } : {});
}

/** Says who has it where no person is asked for it at this moment. */
function elsewhere(serving: Serving, live: LiveAsk): Refusal | null {
  const { kind, name, sessionId } = live.heldBy;
  if (live.state === "relayed") {
    const text = `session ${sessionId ?? name ?? kind} is asked about it; answer it there`;
    return refuse("not_with_a_person", { text });
  }
  if (live.state !== "human") {
    const text = `${name === undefined ? "a link" : `the link ${name}`} looks at it; a person is asked when the links leave it open`;
    return refuse("not_with_a_person", { text });
  }
  return serving.children.isGone(live) ? refuse("child_gone") : null;
}

/** Nobody answers an ask of their own, nor one that passed them. */
function isAmong(serving: Serving, row: ServedAskRow, { token }: Operator): boolean {
  const { origin, path = [] } = storedAsk(serving.session, row);
  const passed = [...path, ...(origin === undefined ? [] : [origin.sessionId])];
  return row.childToken === token || passed.some((session) => sessionToken(session) === token);
}

function faultOf(details: PromptPermissionDetails, wants: WantsAnswer): ControlRefusal | null {
  const { answer, scope = "once", width } = wants;
  if (answer === "deny") return scope !== "once" || width !== undefined ? "malformed" : null;
  if (isIncomplete(details.payload) && wants.incomplete !== true) return "view_incomplete";
  return scopeFault(details.sessionApproval?.grants ?? [], scope, width);
}

function scopeFault(
  grants: readonly GrantPattern[],
  scope: GrantScope,
  width: GrantWidth | undefined,
): ControlRefusal | null {
  const reaches = scope !== "once";
  if (reaches && grants.length === 0) return "no_grant_suggested";
  if (width === undefined) return null;
  return reaches && hasDirections(grants) ? null : "no_width";
}

interface Answering {
  readonly by: Operator;
  readonly wants: WantsAnswer;
  readonly decidedBy: DecisionSource;
  readonly details: PromptPermissionDetails;
}

/** Null when it counts. */
function ruleAs(serving: Serving, live: LiveAsk, answering: Answering): Refusal | null {
  const { by, wants } = answering;
  const { answer, scope = "once", digest: shown } = wants;
  const fields = { operator: by.name, op: "answer", approved: answer === "allow", scope, shown };
  const told: { effect: RulingEffect; stands?: StandingEnd | undefined } = { effect: "ended" };
  settle(serving, live, {
    ruling: rulingOf(answering),
    scope,
    entries: [askEntry(serving.draft, "operator.answered", live.ask, fields)],
    settled: (effect, stands) => {
      told.effect = effect;
      told.stands = stands;
    },
  });
  if (told.effect === "counted") return null;
  return told.effect === "ended" ? ended(told.stands) : refuse("unrecorded");
}

function rulingOf({ wants, decidedBy, details }: Answering): Ruling {
  const { answer, scope = "once", width = "proven", reason = "" } = wants;
  if (answer === "deny") {
    return reason === ""
      ? { approved: false, state: "denied", decidedBy }
      : { approved: false, state: "denied_with_reason", denialReason: reason, decidedBy };
  }
  const isWide = scope !== "once" && hasDirections(details.sessionApproval?.grants ?? []);
  return {
    approved: true,
    state: scope === "child_session" ? "approved_for_session" : "approved",
    decidedBy,
    ...(isWide ? { sessionGrantWidth: width } : {}),
  };
}

import type { DecisionSource, DecisionState } from "../ask/decision.ts";
import { resolutionOf } from "../ask/decision.ts";
import type { GrantSuggestion } from "../ask/grant.ts";
import type { LostReason } from "../ask/lost.ts";
import type { RequestOutcome } from "../ask/outcome.ts";
import type { PromptPayload } from "../ask/payload.ts";
import type { RuleVerdict } from "../ask/verdict.ts";
import type { GateRequest } from "../gates/gate-request.ts";
import type { JudgedRequest } from "./judge-call.ts";
import type { ChildSelf } from "./parts.ts";

/** A permission request under the verdict that stands, with the payload that verdict makes. */
export interface Raised {
  readonly request: GateRequest;
  readonly verdict: RuleVerdict;
  /** Who settled it here; null when it is to be put to the parent. */
  readonly decidedBy: DecisionSource | null;
  readonly payload: PromptPayload;
  /** The grant an approval would leave; null when none can be offered. */
  readonly suggestion: GrantSuggestion | null;
}

/** How a request ended, before it is told to anybody. */
export type Settlement = {
  readonly decidedBy: DecisionSource;
  /** State of the decision that settled it; absent when no decision came. */
  readonly state?: DecisionState;
  /** Why it was denied, in the words of the rule, link or person. */
  readonly denialReason?: string;
} & (
  | { readonly outcome: "allowed" | "denied"; readonly lost?: undefined }
  | { readonly outcome: "lost"; readonly lost: LostReason }
);

/** Takes up a judged request. */
export function raise(self: ChildSelf, { gate, verdict, decidedBy }: JudgedRequest): Raised {
  const payload = gate.payload(verdict, {
    agentName: self.agentName,
    forwarded: false,
    sessionId: null,
    ...(self.host === null ? {} : { host: self.host }),
  });
  // Only who asks others is offered one.
  const suggestion = decidedBy === null && gate.grantable ? gate.suggestion(verdict) : null;
  return { request: gate, verdict, decidedBy, payload, suggestion };
}

/** How the rules of this machine settled a request. */
export function settledByRules(
  { state, verdict }: Pick<JudgedRequest, "state" | "verdict">,
  decidedBy: DecisionSource,
): Settlement {
  if (state === "allow") return { outcome: "allowed", decidedBy };
  return {
    outcome: "denied",
    decidedBy,
    ...(verdict.reason === null ? {} : { denialReason: verdict.reason }),
  };
}

/** The outcome of a request as the caller gets it. */
export function requestOutcome(raised: Raised, settlement: Settlement): RequestOutcome {
  const { outcome, decidedBy, lost, state } = settlement;
  const { surface, value } = raised.payload.request;
  const approved = outcome === "allowed";
  return Object.freeze({
    requestId: raised.request.requestId,
    surface,
    value,
    outcome,
    ...(lost === undefined ? {} : { lost }),
    resolution: resolutionOf({
      approved,
      state: state ?? (approved ? "approved" : "denied"),
      decidedBy,
    }),
    decidedBy,
    ...(state === undefined ? {} : { state }),
  });
}

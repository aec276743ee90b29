import {
  type DecisionSource,
  type DecisionState,
  type Resolution,
  resolutionOf,
} from "../ask/decision.ts";
import type { Forwarding, PromptPermissionDetails } from "../ask/details.ts";
import type { PromptRequestFacts } from "../ask/payload.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { RuleOrigin } from "../ask/verdict.ts";
import { projectRequestFacts } from "./details.ts";

/** Says that a person is really shown an ask. Holds the facts; no evidence, annotation, alias or sentence. */
export interface UiPromptEvent {
  readonly requestId: RequestId;
  readonly source: PromptPermissionDetails["source"];
  /** Display projection. */
  readonly surface: string | null;
  readonly value: string | null;
  readonly agentName: string | null;
  readonly request: PromptRequestFacts;
  /** Null for a local ask. */
  readonly forwarding: Forwarding | null;
  /** How often the id was put to somebody before; absent the first time. */
  readonly reprompt?: number;
}

/** Says how a request was decided at this node; once per request and node. Never names the decider. */
export interface DecisionEvent {
  readonly requestId: RequestId;
  readonly surface: string | null;
  readonly value: string | null;
  readonly agentName: string | null;
  readonly result: "allow" | "deny";
  readonly resolution: Resolution;
  /** Origin of the rule that decided at the requester; null on a serving node. */
  readonly origin: RuleOrigin | null;
  /** Its pattern; null on a serving node. */
  readonly matchedPattern: string | null;
  /** Absent for a local ask. */
  readonly forwarding?: Forwarding;
}

/** A decision as its serving node knows it, before the whole-session scope is folded into `approved`. */
export interface ServedDecision {
  readonly approved: boolean;
  readonly state: DecisionState | "approved_for_serving_session";
  readonly decidedBy: DecisionSource;
}

/** Builds the `ui_prompt` event of an ask that is being shown for the `reprompt`-th time again. */
export function buildUiPrompt(details: PromptPermissionDetails, reprompt = 0): UiPromptEvent {
  return Object.freeze({
    requestId: details.requestId,
    source: details.source,
    surface: details.surface,
    value: details.value,
    agentName: details.agentName,
    request: projectRequestFacts(details.payload.request),
    forwarding: projectForwarding(details.forwarding),
    ...(reprompt > 0 ? { reprompt } : {}),
  });
}

/** Builds the `decision` event of a node that served an ask by its chain or its terminal. */
export function buildServedDecision(
  details: PromptPermissionDetails,
  decision: ServedDecision,
): DecisionEvent {
  const { request } = details.payload;
  const forwarding = projectForwarding(details.forwarding);
  const state =
    decision.state === "approved_for_serving_session" ? "approved_for_session" : decision.state;
  return Object.freeze({
    requestId: details.requestId,
    surface: details.surface ?? request.surface,
    value: details.value ?? request.value,
    agentName: details.agentName,
    result: decision.approved ? "allow" : "deny",
    resolution: resolutionOf({
      approved: decision.approved,
      state,
      decidedBy: decision.decidedBy,
    }),
    origin: null,
    matchedPattern: null,
    ...(forwarding === null ? {} : { forwarding }),
  });
}

function projectForwarding(forwarding: Forwarding | null | undefined): Forwarding | null {
  if (forwarding === null || forwarding === undefined) return null;
  return Object.freeze({
    requesterAgentName: forwarding.requesterAgentName,
    requesterSessionId: forwarding.requesterSessionId,
    via: Object.freeze([...forwarding.via]),
  });
}

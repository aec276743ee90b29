import type { Ask } from "../ask/ask.ts";
import type { Forwarding, PromptPermissionDetails } from "../ask/details.ts";
import type {
  AccessPath,
  AccessUnit,
  AskOrigin,
  ForwardedAccessFacts,
  ForwardedAccessIntent,
} from "../ask/facts.ts";
import type { GrantSuggestion } from "../ask/grant.ts";
import type { PromptPayload, PromptRequester, PromptRequestFacts } from "../ask/payload.ts";

/**
 * Builds what links and people see of a forwarded ask, field by field and frozen through: no nonce, no working
 * directory, no principal. The requester is stamped from the ask itself, whatever the payload claims; a relayed
 * ask names its origin and the sessions it passed. Without a payload one of kind `forwarded` stands in.
 */
export function buildDetails(ask: Ask): PromptPermissionDetails {
  const origin = originOf(ask);
  return Object.freeze({
    requestId: ask.id,
    source: ask.source,
    agentName: origin.agentName,
    payload: stampedPayload(ask, origin),
    surface: ask.surface ?? null,
    value: ask.value ?? null,
    forwarding: Object.freeze({
      requesterAgentName: origin.agentName,
      requesterSessionId: origin.sessionId,
      via: relaysOf(ask),
    }),
    ...(ask.sessionApproval === undefined
      ? {}
      : { sessionApproval: suggestionOf(ask.sessionApproval) }),
    ...(ask.accessIntent === undefined ? {} : { accessIntent: factsOf(ask.accessIntent) }),
  });
}

function originOf(ask: Ask): AskOrigin {
  return ask.origin ?? { sessionId: ask.requesterSessionId, agentName: ask.requesterAgentName };
}

function relaysOf(ask: Ask): Forwarding["via"] {
  if (ask.origin === undefined) return Object.freeze([]);
  const passed = ask.path ?? [ask.origin.sessionId, ask.requesterSessionId];
  return Object.freeze(passed.slice(passed[0] === ask.origin.sessionId ? 1 : 0));
}

function stampedPayload(ask: Ask, origin: AskOrigin): PromptPayload {
  const stamp = {
    agentName: origin.agentName,
    forwarded: true,
    sessionId: origin.sessionId,
  };
  if (ask.payload === undefined) return degradedPayload(ask, stamp);
  const { kind, request, evidence, annotations } = ask.payload;
  const { host } = request.requester;
  return Object.freeze({
    kind,
    request: projectRequestFacts(request, host === undefined ? stamp : { ...stamp, host }),
    evidence: Object.freeze(
      evidence.map(({ label, text, detail }) => Object.freeze({ label, text, detail })),
    ),
    annotations: Object.freeze(
      annotations.map(({ source, text }) => Object.freeze({ source, text })),
    ),
  });
}

function degradedPayload(ask: Ask, requester: PromptRequester): PromptPayload {
  return Object.freeze({
    kind: "forwarded",
    request: Object.freeze({
      requester: Object.freeze(requester),
      surface: ask.surface ?? "",
      toolName: null,
      invokedToolName: null,
      value: ask.value ?? "",
      matchedPattern: null,
      commandContext: null,
      executedUnit: null,
    }),
    evidence: Object.freeze([]),
    annotations: Object.freeze([]),
  });
}

/** Copies the core of a payload field by field, under another requester when one is given. */
export function projectRequestFacts(
  request: PromptRequestFacts,
  requester: PromptRequester = request.requester,
): PromptRequestFacts {
  return Object.freeze({
    requester: Object.freeze({
      agentName: requester.agentName,
      forwarded: requester.forwarded,
      sessionId: requester.sessionId,
      ...(requester.host === undefined ? {} : { host: requester.host }),
    }),
    surface: request.surface,
    toolName: request.toolName,
    invokedToolName: request.invokedToolName,
    value: request.value,
    matchedPattern: request.matchedPattern,
    commandContext: request.commandContext,
    executedUnit: request.executedUnit,
  });
}

function suggestionOf(suggestion: GrantSuggestion): GrantSuggestion {
  return Object.freeze({
    grants: Object.freeze(
      suggestion.grants.map(({ surface, pattern }) => Object.freeze({ surface, pattern })),
    ),
  });
}

function factsOf(intent: ForwardedAccessIntent): ForwardedAccessFacts {
  return Object.freeze({
    surface: intent.surface,
    matchValues: Object.freeze([...intent.matchValues]),
    boundaryValue: intent.boundaryValue,
    ...(intent.units === undefined ? {} : { units: Object.freeze(intent.units.map(unitOf)) }),
    ...(intent.paths === undefined ? {} : { paths: Object.freeze(intent.paths.map(pathOf)) }),
  });
}

function unitOf({ value, floor, context }: AccessUnit): AccessUnit {
  return Object.freeze({ value, floor, context });
}

function pathOf({ surface, matchValues, boundaryValue }: AccessPath): AccessPath {
  return Object.freeze({ surface, matchValues: Object.freeze([...matchValues]), boundaryValue });
}

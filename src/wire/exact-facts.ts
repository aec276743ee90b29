import type {
  AccessPath,
  AccessUnit,
  AskOrigin,
  ForwardedAccessFacts,
  ForwardedAccessIntent,
} from "../ask/facts.ts";
import {
  COMMAND_CONTEXTS,
  type CommandContext,
  PAYLOAD_KINDS,
  type PayloadKind,
  type PromptAnnotation,
  type PromptEvidence,
  type PromptPayload,
  type PromptRequester,
  type PromptRequestFacts,
} from "../ask/payload.ts";
import {
  type Draft,
  fieldsOf,
  isFilled,
  isOneOf,
  isText,
  isTextOrAbsent,
  isTextOrNull,
  readList,
  readText,
} from "./exact.ts";

const KINDS: ReadonlySet<PayloadKind> = new Set(PAYLOAD_KINDS);
const CONTEXTS: ReadonlySet<CommandContext | null> = new Set([...COMMAND_CONTEXTS, null]);

/** Reads the payload of an ask. */
export function readPayload(value: unknown): PromptPayload | null {
  const { kind, request, evidence, annotations } = fieldsOf(value);
  if (!isOneOf(KINDS, kind)) return null;
  const facts = readFacts(request);
  const pieces = readList(evidence, readEvidence);
  const advice = readList(annotations, readAnnotation);
  if (facts === null || pieces === null || advice === null) return null;
  return Object.freeze({ kind, request: facts, evidence: pieces, annotations: advice });
}

function readFacts(value: unknown): PromptRequestFacts | null {
  const fields = fieldsOf(value);
  const { surface, toolName, invokedToolName, value: about } = fields;
  const { matchedPattern, commandContext, executedUnit } = fields;
  const requester = readRequester(fields["requester"]);
  if (requester === null || !isText(surface) || !isText(about)) return null;
  if (!isTextOrNull(toolName) || !isTextOrNull(invokedToolName)) return null;
  if (!isTextOrNull(matchedPattern) || !isTextOrNull(executedUnit)) return null;
  if (!isOneOf(CONTEXTS, commandContext)) return null;
  return Object.freeze({
    requester,
    surface,
    toolName,
    invokedToolName,
    value: about,
    matchedPattern,
    commandContext,
    executedUnit,
  });
}

function readRequester(value: unknown): PromptRequester | null {
  const { agentName, forwarded, sessionId, host } = fieldsOf(value);
  if (!isTextOrNull(agentName) || !isTextOrNull(sessionId)) return null;
  if (typeof forwarded !== "boolean" || !isTextOrAbsent(host)) return null;
  const requester: Draft<PromptRequester> = { agentName, forwarded, sessionId };
  if (host !== undefined) requester.host = host;
  return Object.freeze(requester);
}

function readEvidence(value: unknown): PromptEvidence | null {
  const { label, text, detail } = fieldsOf(value);
  if (!isText(label) || !isText(text) || !isTextOrNull(detail)) return null;
  return Object.freeze({ label, text, detail });
}

function readAnnotation(value: unknown): PromptAnnotation | null {
  const { source, text } = fieldsOf(value);
  return isText(source) && isText(text) ? Object.freeze({ source, text }) : null;
}

/** Reads the access facts of an ask. */
export function readIntent(value: unknown): ForwardedAccessIntent | null {
  const fields = fieldsOf(value);
  const { surface, boundaryValue, requesterCwd, units, paths } = fields;
  const matchValues = readList(fields["matchValues"], readText);
  const principal = readOrigin(fields["principal"]);
  if (matchValues === null || principal === null) return null;
  if (!isText(surface) || !isTextOrNull(boundaryValue) || !isText(requesterCwd)) return null;
  const facts: Draft<ForwardedAccessFacts> = { surface, matchValues, boundaryValue };
  if (units !== undefined) {
    const read = readList(units, readUnit);
    if (read === null) return null;
    facts.units = read;
  }
  if (paths !== undefined) {
    const read = readList(paths, readPath);
    if (read === null) return null;
    facts.paths = read;
  }
  // In the order of the wire, so that whoever passes it on writes the bytes that came.
  return Object.freeze(Object.assign(facts, { requesterCwd, principal }));
}

function readUnit(value: unknown): AccessUnit | null {
  const { value: text, floor, context } = fieldsOf(value);
  if (!isText(text) || !isTextOrNull(floor) || !isOneOf(CONTEXTS, context)) return null;
  return Object.freeze({ value: text, floor, context });
}

function readPath(value: unknown): AccessPath | null {
  const { surface, matchValues, boundaryValue } = fieldsOf(value);
  const aliases = readList(matchValues, readText);
  if (aliases === null || !isText(surface) || !isTextOrNull(boundaryValue)) return null;
  return Object.freeze({ surface, matchValues: aliases, boundaryValue });
}

/** Reads the session an ask began at. */
export function readOrigin(value: unknown): AskOrigin | null {
  const { sessionId, agentName } = fieldsOf(value);
  if (!isFilled(sessionId) || !isFilled(agentName)) return null;
  return Object.freeze({ sessionId, agentName });
}

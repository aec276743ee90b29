import { type DecisionSource, effectiveDecider } from "../ask/decision.ts";
import { isLostReason, type LostReason } from "../ask/lost.ts";
import type { PromptPayload } from "../ask/payload.ts";
import { LOST_SENTENCES } from "./lost-sentences.ts";
import { visibleCut } from "./visible-text.ts";

/** How a call came to be refused. */
export type Refusal =
  | { readonly decidedBy: DecisionSource; readonly denialReason?: string }
  | { readonly lost: LostReason; readonly detail?: string };

const TAG = "[askfabric]";
const LONGEST_NAME = 200;
const LONGEST_REASON = 2000;

/**
 * Tells the agent in one line why its call does not run. Identifies the call without its command or input,
 * names the rule's pattern, the link, the denier's reason or the lost reason, and says that another session
 * decided but never which. Of a lost ask nobody is said to have decided.
 *
 * @param payload - What was asked; null when the call got no payload.
 */
export function refusalText(payload: PromptPayload | null, refusal: Refusal): string {
  const call = identify(payload);
  if ("lost" in refusal) return lostText(call, refusal.lost, refusal);
  const { decidedBy, denialReason } = refusal;
  const decider = effectiveDecider(decidedBy);
  if (decider.kind === "unavailable") {
    return isLostReason(decider.reason)
      ? lostText(call, decider.reason, { above: decidedBy.kind === "forwarded" })
      : `${TAG} Not run: ${call} got no decision, because none could be had (${told(decider.reason)}); ` +
          "try again when that is mended.";
  }
  if (decider.kind === "gate_error") {
    return `${TAG} Not run: ${call} got no decision, because ${LOST_SENTENCES.gate_error.what} (gate_error: ${told(decider.reason)}); ${LOST_SENTENCES.gate_error.todo}.`;
  }
  const reason = reasonClause(decider, denialReason);
  const advice = reason === "" ? "; do not look for another way to the same end" : "";
  return `${TAG} Denied: ${call} was refused${byWhom(decidedBy)}${reason}${advice}.`;
}

/**
 * Tells in one line why a call runs. Same disclosure as {@link refusalText}.
 *
 * @param payload - What was asked; null when nothing had to be asked.
 * @param decidedBy - Who allowed it; null when no permission request was raised.
 */
export function allowedText(
  payload: PromptPayload | null,
  decidedBy: DecisionSource | null,
): string {
  if (decidedBy === null) return `${TAG} Allowed: ${identify(payload)} needs no permission.`;
  return `${TAG} Allowed: ${identify(payload)} was allowed${byWhom(decidedBy)}.`;
}

function byWhom(decidedBy: DecisionSource): string {
  const name = nameDecider(effectiveDecider(decidedBy));
  return (
    (name === null ? "" : ` by ${name}`) +
    (decidedBy.kind === "forwarded" ? " in another session" : "")
  );
}

/** `above`: it was lost on the way on, so that "the parent" is that of the session that was asked. */
function lostText(
  call: string,
  lost: LostReason,
  { detail, above = false }: { readonly detail?: string; readonly above?: boolean },
): string {
  const { what, todo } = LOST_SENTENCES[lost];
  const where = above ? "for the session that was asked, " : "";
  const more = detail === undefined ? "" : `: ${told(detail)}`;
  return `${TAG} Not run: ${call} got no decision (${lost}), because ${where}${what}${more}; ${todo}.`;
}

/** Names a call by its kind and its harmless names; a command and a tool's input stay out. */
function identify(payload: PromptPayload | null): string {
  if (payload === null) return "the call";
  const { kind, request } = payload;
  const value = named(request.value);
  switch (kind) {
    case "bash":
      return `the ${named(request.toolName ?? "bash")} command`;
    case "bash_external_directory":
      return `the ${named(request.toolName ?? "bash")} command outside the working directory`;
    case "mcp":
      return `the MCP call ${value}`;
    case "tool":
      return `the ${named(request.toolName ?? request.value)} call`;
    case "path":
      return `access to "${value}"`;
    case "external_directory":
      return `access to "${value}" outside the working directory`;
    case "skill":
      return `the skill "${value}"`;
    case "skill_read":
      return `reading the skill "${value}"`;
    case "forwarded":
      return "the forwarded call";
  }
}

function nameDecider(decider: DecisionSource): string | null {
  switch (decider.kind) {
    case "user":
      return "the user";
    case "authorizer":
      return `the authorizer "${named(decider.name)}"`;
    case "rule":
      return decider.pattern === null
        ? `the default rule of ${named(decider.surface)}`
        : `the ${named(decider.surface)} rule "${named(decider.pattern)}"`;
    case "session_approval":
      return decider.pattern === null
        ? "an approval for this session"
        : `an approval of "${named(decider.pattern)}" for this session`;
    case "yolo":
      return "yolo mode";
    case "infrastructure_read":
      return "the rule for reads of the agent's own files";
    case "unavailable":
    case "gate_error":
    case "forwarded":
      return null;
  }
}

function reasonClause(decider: DecisionSource, denialReason: string | undefined): string {
  const reason =
    denialReason ?? (decider.kind === "authorizer" ? (decider.reason ?? undefined) : undefined);
  if (reason === undefined || reason === "") return "";
  const speaker = decider.kind === "user" ? "saying" : "with the reason";
  return `, ${speaker} "${told(reason)}"`;
}

function named(text: string): string {
  return visibleCut(text, LONGEST_NAME).text;
}

function told(text: string): string {
  return visibleCut(text, LONGEST_REASON).text;
}

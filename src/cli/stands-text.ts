import { effectiveDecider } from "../ask/decision.ts";
import type { StandingEnd } from "../ask/ports.ts";
import { visibleCut } from "../render/visible-text.ts";

/** Longest name of a link or pattern of a rule that is quoted, in characters. */
const LONGEST_NAME = 60;

/** Says to whoever answered too late who was first, and with what. */
export function standsText({ outcome, decidedBy }: StandingEnd): string {
  if (outcome === "lost" || decidedBy === null) return "it had ended without a verdict";
  return `${nameOf(decidedBy)} had ${outcome} it before`;
}

function nameOf(decidedBy: NonNullable<StandingEnd["decidedBy"]>): string {
  const decider = effectiveDecider(decidedBy);
  const quoted = (name: string | null): string =>
    name === null ? "" : ` "${visibleCut(name, LONGEST_NAME).text}"`;
  switch (decider.kind) {
    case "user":
      if (decider.via !== "operator" || decider.approver === undefined) return "another person";
      return `the operator${quoted(decider.approver)}`;
    case "rule":
      return `the rule${quoted(decider.pattern)}`;
    case "session_approval":
      return `a grant of${quoted(decider.pattern)}`;
    case "authorizer":
      return `the link${quoted(decider.name)}`;
    case "forwarded":
    case "gate_error":
    case "infrastructure_read":
    case "unavailable":
    case "yolo":
      return "this session";
  }
}

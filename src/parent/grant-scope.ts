import { effectiveDecider, type Ruling } from "../ask/decision.ts";
import type { GrantPattern, GrantSuggestion } from "../ask/grant.ts";
import type { GrantScope } from "../ask/ports.ts";

/** A ruling as it goes to the child, and the grants that this node keeps for it. */
export interface ScopedRuling {
  readonly ruling: Ruling;
  /** What this node's session records; empty unless a person approved for the whole serving session. */
  readonly recorded: readonly GrantPattern[];
  /** The state as this node's own records name it; the third approval never leaves the node. */
  readonly recordedState: Ruling["state"] | "approved_for_serving_session";
}

/**
 * Works out what an answer with a scope means. A denial has no scope. Only a person's approval reaches beyond
 * one ask, and only where the ask suggests what to grant: an approval "for the session" that leaves nothing
 * behind is answered as the plain approval it is.
 */
export function applyGrantScope(
  ruling: Ruling,
  scope: GrantScope,
  suggestion: GrantSuggestion | null,
): ScopedRuling {
  if (!ruling.approved) return { ruling, recorded: [], recordedState: ruling.state };
  const grants = isByPerson(ruling) && suggestion !== null ? suggestion.grants : [];
  if (scope === "once" || grants.length === 0) return plain(ruling, []);
  if (scope === "serving_session") return plain(ruling, grants);
  const session: Ruling = {
    approved: true,
    state: "approved_for_session",
    decidedBy: ruling.decidedBy,
    ...(ruling.sessionGrantWidth === undefined
      ? {}
      : { sessionGrantWidth: ruling.sessionGrantWidth }),
  };
  return { ruling: session, recorded: [], recordedState: session.state };
}

function plain(ruling: Ruling, recorded: readonly GrantPattern[]): ScopedRuling {
  return {
    ruling: { approved: true, state: "approved", decidedBy: ruling.decidedBy },
    recorded,
    recordedState: recorded.length === 0 ? "approved" : "approved_for_serving_session",
  };
}

function isByPerson(ruling: Ruling): boolean {
  const decider = effectiveDecider(ruling.decidedBy);
  return decider.kind === "user" || decider.kind === "forwarded";
}

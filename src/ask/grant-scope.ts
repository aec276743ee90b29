import type { GrantPattern, GrantSuggestion, GrantWidth } from "./grant.ts";
import type { GrantScope } from "./ports.ts";

/** What a person's approval comes to, for the child and for the node that serves it. */
export interface ScopedApproval {
  readonly approved: true;
  readonly state: "approved" | "approved_for_session";
  /** Present only when the child is to record its grants for both directions. */
  readonly sessionGrantWidth?: GrantWidth;
  /** What the serving node itself records. */
  readonly recorded: readonly GrantPattern[];
}

/**
 * Applies the scope a person chose. Of a child's session only the child records; of the whole serving
 * session only the serving node does, and the child hears of a plain approval.
 */
export function applyGrantScope(
  scope: GrantScope,
  suggestion: GrantSuggestion | null,
  width: GrantWidth = "proven",
): ScopedApproval {
  if (scope === "child_session") {
    const wider = width === "family" ? { sessionGrantWidth: width } : {};
    return { approved: true, state: "approved_for_session", ...wider, recorded: [] };
  }
  const recorded = scope === "serving_session" ? (suggestion?.grants ?? []) : [];
  return { approved: true, state: "approved", recorded };
}

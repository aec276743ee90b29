import { isIncomplete } from "../ask/carried.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { LinkVerdict } from "../ask/ports.ts";

/** The surfaces on which no link may allow. */
export const CAPPED_SURFACES: readonly string[] = [
  "path",
  "path_read",
  "path_write",
  "external_directory",
  "external_directory_read",
  "external_directory_write",
];

/** What the envelope reads of an ask; a degraded ask may lack any of it. */
export interface EnvelopeFacts {
  readonly surface: string | null;
  readonly payload?: PromptPermissionDetails["payload"];
  readonly accessIntent?: PromptPermissionDetails["accessIntent"];
}

/**
 * Caps what a link may say: its allow becomes a defer on the path families, by the facts' surface or the
 * payload's, by the display surface only when there is neither, and always when there is none at all or when
 * evidence was too large to come along. Deny and defer pass. Never widens.
 */
export function capVerdict(
  verdict: LinkVerdict["kind"],
  details: EnvelopeFacts,
): LinkVerdict["kind"] {
  if (verdict !== "allow") return verdict;
  if (details.payload !== undefined && isIncomplete(details.payload)) return "defer";
  const gate = [details.accessIntent?.surface, details.payload?.request.surface].filter(isSaid);
  const surfaces = gate.length > 0 ? gate : [details.surface].filter(isSaid);
  const capped =
    surfaces.length === 0 || surfaces.some((surface) => CAPPED_SURFACES.includes(surface));
  return capped ? "defer" : "allow";
}

function isSaid(surface: string | null | undefined): surface is string {
  return surface !== null && surface !== undefined && surface !== "";
}

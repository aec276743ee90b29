import { boundEntry } from "../render/bound-record.ts";
import type { Drafter } from "./parts.ts";

/** Makes drafts whose texts are bounded. */
export function drafterOf(maxWidth: number | undefined): Drafter {
  const bounds = maxWidth === undefined ? {} : { maxWidth };
  return (kind, requestId, given) => ({ kind, requestId, body: boundEntry(given, bounds) });
}

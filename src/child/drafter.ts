import { boundRecord } from "../render/bound-record.ts";
import type { Drafter } from "./parts.ts";

/** Makes drafts. Texts are bounded; the event's name and the id that joins records are not, however narrow the bound. */
export function drafterOf(maxWidth: number | undefined): Drafter {
  const bounds = maxWidth === undefined ? {} : { maxWidth };
  return (kind, requestId, given) => {
    const body = boundRecord(given, bounds);
    if ("event" in given) body["event"] = given["event"];
    if ("requestId" in given) body["requestId"] = requestId;
    return { kind, requestId, body };
  };
}

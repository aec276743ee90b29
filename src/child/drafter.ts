import { boundRecord } from "../render/bound-record.ts";
import type { Drafter } from "./parts.ts";

/** Makes drafts. Texts are bounded; the event's name and the id that joins records are not, however narrow the bound. */
export function drafterOf(maxWidth: number | undefined): Drafter {
  const bounds = maxWidth === undefined ? {} : { maxWidth };
  return (kind, requestId, body) => ({
    kind,
    requestId,
    body: {
      ...boundRecord(body, bounds),
      ...("event" in body ? { event: body["event"] } : {}),
      ...("requestId" in body ? { requestId } : {}),
    },
  });
}

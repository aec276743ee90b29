import type { Clock } from "../ask/ports.ts";
import type { Journal, QueuedCancel } from "../journal/journal.ts";
import { lostEntry } from "./lost-entry.ts";
import type { RecordSite } from "./records.ts";

/**
 * Ends the asks that were passed on for asks which have ended at this session without them, and queues their
 * cancels: their children took them back, or their time was over, while nobody was there to say it above.
 *
 * @throws {@link JournalError} when the journal cannot be written.
 */
export function endOutlived(parts: {
  readonly journal: Pick<Journal, "read" | "write">;
  readonly records: RecordSite;
  readonly clock: Clock;
}): readonly QueuedCancel[] {
  const { journal, records, clock } = parts;
  if (journal.read.outlivedPassedAsks().length === 0) return [];
  return journal.write((tx) => {
    const cancels: QueuedCancel[] = [];
    for (const { requestId, parent, expiresAt } of tx.outlivedPassedAsks()) {
      const now = clock.now();
      const lost = now < expiresAt ? "cancelled" : "timed_out";
      const end = { outcome: "lost", decisionDigest: null, lost, endedAt: now } as const;
      if (!tx.endChildAsk(requestId, end)) continue;
      const why = lost === "timed_out" ? lost : "aborted";
      const cancel = { requestId, parent, why, queuedAt: now } as const;
      tx.queueCancel(cancel);
      tx.record(lostEntry(records, requestId, lost, { targetSessionId: parent }), now);
      cancels.push(cancel);
    }
    return cancels;
  });
}

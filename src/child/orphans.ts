import type { Clock } from "../ask/ports.ts";
import type { ChildAskRow, Journal, JournalWrites, QueuedCancel } from "../journal/journal.ts";
import { lostEntry } from "./lost-entry.ts";
import type { Drafter } from "./parts.ts";
import { type RecordSite, wayEntry } from "./records.ts";
import { deciderOfLoss } from "./ruling.ts";

/**
 * Ends the asks whose process died before their outcome, and queues their cancels. Rows of processes that live
 * are not touched. Of two that start at once, one ends an orphan.
 *
 * @throws {@link JournalError} when the journal cannot be written.
 */
export function endOrphans(parts: {
  readonly journal: Pick<Journal, "read" | "write" | "session">;
  readonly draft: Drafter;
  readonly agentName: string | null;
  readonly clock: Clock;
}): readonly QueuedCancel[] {
  const { journal, clock } = parts;
  const orphans = journal.read.orphans();
  if (orphans.length === 0) return [];
  const records: RecordSite = { draft: parts.draft, agentName: parts.agentName, toolCallId: null };
  return journal.write((tx) => {
    const cancels: QueuedCancel[] = [];
    for (const row of orphans) {
      const endedAt = clock.now();
      const end = { outcome: "lost", decisionDigest: null, lost: "cancelled", endedAt } as const;
      if (!tx.endChildAsk(row.requestId, end)) continue;
      const { requestId, parent } = row;
      const cancel = { requestId, parent, why: "child_restarted", queuedAt: endedAt } as const;
      tx.queueCancel(cancel);
      recordEnd(tx, { row, records, session: journal.session, now: endedAt });
      cancels.push(cancel);
    }
    return cancels;
  });
}

/** What the ask was about stands on the entries its own process wrote under the same id. */
function recordEnd(
  tx: JournalWrites,
  of: {
    readonly row: ChildAskRow;
    readonly records: RecordSite;
    readonly session: string;
    readonly now: number;
  },
): void {
  const { row, records, session, now } = of;
  const { requestId } = row;
  const decidedBy = deciderOfLoss("cancelled", session);
  const resolution = "confirmation_unavailable";
  const { agentName } = records;
  const drafts = [
    lostEntry(records, requestId, "cancelled", {
      targetSessionId: row.parent,
      why: "child_restarted",
      owner: row.owner,
    }),
    wayEntry(records, "permission_request.blocked", requestId, {
      agentName,
      resolution,
      decidedBy,
      lost: "cancelled",
    }),
    records.draft("decision", requestId, {
      requestId,
      surface: null,
      value: null,
      agentName,
      result: "deny",
      resolution,
      origin: null,
      matchedPattern: null,
      decidedBy,
      lost: "cancelled",
    }),
  ];
  for (const draft of drafts) tx.record(draft, now);
}

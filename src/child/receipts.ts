import type { ReceiptEffect } from "../ask/messages.ts";
import type { ChildInbound, ChildLine } from "../bus/lines.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { ChildAskRow, Journal } from "../journal/journal.ts";

/** How long an owner that was seen alive is taken for alive, in milliseconds. */
const ALIVE_FOR_MS = 5_000;

/** Answers decisions about asks that have ended, so that their parent stops repeating them. */
export interface Receipts {
  answer(stray: Extract<ChildInbound, { kind: "stray_decision" }>): void;
}

/** Opens the answering of stray decisions. */
export function openReceipts(parts: {
  readonly line: Pick<ChildLine, "publishReceipt">;
  readonly journal: Pick<Journal, "owner" | "read">;
  readonly monotonic: () => number;
}): Receipts {
  const { line, journal, monotonic } = parts;
  const seenAlive = new Map<string, number>();

  function livesElsewhere(owner: string): boolean {
    if (owner === journal.owner) return false;
    const now = monotonic();
    const seenAt = seenAlive.get(owner);
    if (seenAt !== undefined && now - seenAt < ALIVE_FOR_MS) return true;
    if (!journal.read.ownerLives(owner)) {
      seenAlive.delete(owner);
      return false;
    }
    seenAlive.set(owner, now);
    return true;
  }

  /** Null: the ask is not this process's to speak about. */
  function effectOf(
    row: ChildAskRow,
    stray: { parentToken: string; decisionDigest: string },
  ): ReceiptEffect | null {
    if (row.owner !== journal.owner && (row.end === null || livesElsewhere(row.owner))) return null;
    if (row.passedOn && row.end === null) return null;
    if (sessionToken(row.parent) !== stray.parentToken) return "none";
    if (row.end?.decisionDigest !== stray.decisionDigest) return "late";
    // What it did is said by the child it was passed on to, and until then by nobody.
    return row.passedOn ? (journal.read.servedAsk(row.requestId)?.receipt ?? null) : "duplicate";
  }

  return {
    answer: (stray) => {
      const { requestId, parentToken, decisionDigest } = stray;
      const row = journal.read.childAsk(requestId);
      const effect = row === null ? null : effectOf(row, stray);
      if (effect === null) return;
      line.publishReceipt(parentToken, { requestId, decisionDigest, effect });
    },
  };
}

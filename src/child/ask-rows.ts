import type { LostReason } from "../ask/lost.ts";
import type { Accepted, CancelReason, Decision } from "../ask/messages.ts";
import type { Clock, Log } from "../ask/ports.ts";
import {
  type Journal,
  JournalError,
  type JournalWrites,
  type QueuedCancel,
} from "../journal/journal.ts";
import type { AskCase, AskEnding } from "./ask-case.ts";
import { rowEnd } from "./ruling.ts";

/** The steps of an ask as transactions of the journal, each with the records that belong to it. */
export interface AskRows {
  /** Rejects with whatever the journal or the records throw; the ask has no row then. */
  insert(ask: AskCase): Promise<void>;
  /**
   * Points the row at the parent of `next` and queues the cancel for the parent left, which is returned.
   *
   * @throws whatever the journal or the records throw; the row is as it was then.
   */
  moved(ask: AskCase, next: AskCase, lost: LostReason): QueuedCancel;
  /** Rejects with whatever the journal or the records throw. */
  accepted(ask: AskCase, message: Accepted): Promise<void>;
  /** Rejects with whatever the journal or the records throw; the row is as it was then. */
  decided(ask: AskCase, decision: Decision, decisionDigest: string): Promise<AskEnding>;
  /**
   * Ends the row of a lost ask and queues its cancel, which is returned; null when `why` is. Never throws: a
   * loss holds whether or not it can be written.
   */
  lost(
    ask: AskCase,
    ending: AskEnding,
    of: { readonly why: CancelReason | null; readonly hasRow: boolean },
  ): QueuedCancel | null;
}

/** Opens the rows of one process. */
export function openAskRows(parts: {
  readonly journal: Pick<Journal, "write" | "group" | "soon">;
  readonly clock: Clock;
  readonly log: Log;
}): AskRows {
  const { journal, clock, log } = parts;
  return {
    insert: async (ask) => {
      const { askDigest } = ask.sealed;
      const { id: requestId, targetSessionId: parent, createdAt, expiresAt } = ask.sealed.ask;
      await journal.soon((tx) => {
        tx.insertChildAsk({ requestId, parent, askDigest, createdAt, expiresAt });
        ask.writer.created(tx);
      });
    },
    moved: (ask, next, lost) => {
      const { id: requestId, targetSessionId: parent } = ask.sealed.ask;
      const { askDigest, ask: put } = next.sealed;
      const cancel = { requestId, parent, why: "failover", queuedAt: clock.now() } as const;
      journal.write((tx) => {
        if (!tx.moveChildAsk(requestId, { parent: put.targetSessionId, askDigest })) {
          throw new Error("the row of an ask that moves has ended already");
        }
        tx.queueCancel(cancel);
        next.writer.moved?.(tx, { parent, lost });
      });
      return cancel;
    },
    accepted: async (ask, message) => journal.group((tx) => ask.writer.accepted(tx, message)),
    decided: async (ask, decision, decisionDigest) => {
      const decided: AskEnding = { kind: "decided", decision, decisionDigest };
      let ending = decided as AskEnding;
      await journal.soon((tx) => {
        if (!ask.writer.ended(tx, decided)) ending = VOID;
        // A row that another process has ended is no longer this one's to decide about.
        if (!tx.endChildAsk(ask.sealed.ask.id, rowEnd(ending, clock.now()))) {
          throw new Error("the ask's row has ended already");
        }
      });
      ask.writer.endKept?.();
      return ending;
    },
    lost: (ask, ending, { why, hasRow }) => {
      const { id: requestId, targetSessionId: parent } = ask.sealed.ask;
      const queuedAt = clock.now();
      const cancel = why === null ? null : { requestId, parent, why, queuedAt };
      const end = (tx: JournalWrites): void => {
        if (hasRow) tx.endChildAsk(requestId, rowEnd(ending, queuedAt));
        if (cancel !== null) tx.queueCancel(cancel);
      };
      const failure = failureOf(() =>
        journal.write((tx) => {
          end(tx);
          ask.writer.ended(tx, ending);
        }),
      );
      if (failure === null) ask.writer.endKept?.();
      else {
        log.error({ requestId, err: failure }, "a lost ask could not be recorded");
        // What fails in the records alone does not keep the row open.
        failureOf(() => journal.write(end));
      }
      return cancel;
    },
  };
}

/** What becomes of an ask whose decision counts for nothing, because it had ended below. */
const VOID: AskEnding = { kind: "lost", lost: "cancelled", refused: null };

/** Whether the journal's file or the work itself is to blame for a step that was not written. */
export function lossOfFailure(error: unknown): "audit_unavailable" | "gate_error" {
  return error instanceof JournalError ? "audit_unavailable" : "gate_error";
}

/** What `work` throws, or null. */
function failureOf(work: () => void): Error | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

import type { Log } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ChildLine } from "../bus/lines.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Journal, QueuedCancel } from "../journal/journal.ts";

/** Pauses between the repeats of a cancel, in milliseconds; the last one goes on. */
const REPEAT_AFTER_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Cancels that are repeated until their parent answers. They stand in the journal before they are added. */
export interface CancelQueue {
  /** Sends a cancel now and goes on. */
  add(cancel: QueuedCancel): void;
  /** The parent with this token answered. */
  withdrawn(requestId: RequestId, parentToken: string): void;
  /** Sends everything once more: the connection or the parent is back. */
  resend(): void;
  /** Cancels that wait for their answer. */
  size(): number;
  /** Ends the repeats; what waits stays in the journal. */
  close(): void;
}

interface Waiting {
  readonly cancel: QueuedCancel;
  sent: number;
  timer: NodeJS.Timeout | null;
}

/** Opens an empty queue. */
export function openCancelQueue(parts: {
  readonly line: Pick<ChildLine, "publishCancel">;
  readonly journal: Pick<Journal, "write">;
  readonly log: Log;
}): CancelQueue {
  const { line, journal, log } = parts;
  const queue = new Map<string, Waiting>();
  const keyOf = (requestId: RequestId, token: string): string => `${token} ${requestId}`;
  let closed = false;

  function send({ cancel }: Waiting): void {
    const { requestId, why } = cancel;
    const outcome = line.publishCancel(cancel.parent, { requestId, why });
    if (outcome !== "sent") log.debug({ requestId, outcome }, "a cancel waits for the connection");
  }
  function sendAndRepeat(waiting: Waiting): void {
    if (closed) return;
    send(waiting);
    const pause = REPEAT_AFTER_MS[waiting.sent] ?? 30_000;
    waiting.sent += 1;
    waiting.timer = setTimeout(() => sendAndRepeat(waiting), pause).unref();
  }

  return {
    add: (cancel) => {
      const key = keyOf(cancel.requestId, sessionToken(cancel.parent));
      if (queue.has(key)) return;
      const waiting: Waiting = { cancel, sent: 0, timer: null };
      queue.set(key, waiting);
      sendAndRepeat(waiting);
    },
    withdrawn: (requestId, parentToken) => {
      const key = keyOf(requestId, parentToken);
      const waiting = queue.get(key);
      if (waiting === undefined) return;
      queue.delete(key);
      if (waiting.timer !== null) clearTimeout(waiting.timer);
      try {
        journal.write((tx) => tx.dropCancel(requestId, waiting.cancel.parent));
      } catch (error) {
        log.warn({ requestId, err: error }, "an answered cancel stays in the journal");
      }
    },
    resend: () => {
      for (const waiting of queue.values()) send(waiting);
    },
    size: () => queue.size,
    close: () => {
      closed = true;
      for (const { timer } of queue.values()) if (timer !== null) clearTimeout(timer);
      queue.clear();
    },
  };
}

import { hash } from "node:crypto";
import type { RequestId } from "../ask/request-id.ts";
import type { ServedAskEnd } from "../journal/journal.ts";

/** Waits before the repeats of an answer, in milliseconds; the last one goes on. */
const REPEAT_AFTER_MS = [1000, 2000, 4000, 8000, 16_000, 30_000] as const;

/** A refusal has no receipt: it is repeated this often by itself, later only when its child repeats. */
const REFUSAL_REPEATS = 5;

/** Most answers held in memory. What is pushed out is in the journal and comes back with its child's repeat. */
const HELD_MAX = 8192;

/** How long a receipted answer stays in memory for late repeats, in milliseconds. */
const RECEIPTED_KEPT_MS = 60_000;

/** The end of an ask with the very bytes that are sent, as often as it takes. */
export interface Answer {
  readonly requestId: RequestId;
  readonly childToken: string;
  readonly askDigest: string;
  /**
   * Key of the proof, from the ask as this process saw it. Null for an answer of an earlier process whose child
   * has not repeated: sent without a proof it decides nothing, but a child that has its end answers with a receipt.
   */
  readonly nonce: string | null;
  readonly kind: ServedAskEnd["kind"];
  readonly body: string;
  /** Epoch milliseconds from which nobody needs it. */
  readonly keepUntil: number;
}

/** Answers that this process gave, until their children have them. */
export interface AnswerBook {
  /**
   * Sends an answer and repeats it until its receipt. An id that has an answer keeps the one it has; one without
   * the key of its proof takes the key from here.
   */
  give(answer: Answer): void;
  /** The answer of an id, whoever asks; null when memory holds none. */
  find(requestId: RequestId): Answer | null;
  /** Ends the repeats of the answer with this digest; false when memory holds no such answer. */
  receipted(requestId: RequestId, digest: string): boolean;
  /** Sends everything once more that waits for a receipt: the connection is back. */
  resend(): void;
  /** Lets go of what is past its time. */
  sweep(now: number): void;
  /** Ends all repeats. */
  close(): void;
}

interface Held {
  answer: Answer;
  sent: number;
  /** Epoch milliseconds after which it leaves memory. */
  leavesAt: number;
  timer: NodeJS.Timeout | null;
}

/** Digest of an answer's raw body, as receipts name it. */
export function answerDigest(body: string): string {
  return hash("sha256", body, "base64url");
}

/** Opens an empty book; `send` hands an answer's bytes to the connection. */
export function openAnswerBook(send: (answer: Answer) => void, now: () => number): AnswerBook {
  const book = new Map<RequestId, Held>();
  /** Ids in the order they came, in a ring. Looking for the oldest in the map would pass all that have left it. */
  const order: RequestId[] = [];
  let place = 0;

  function sendAndRepeat(held: Held): void {
    send(held.answer);
    held.sent += 1;
    if (!isRepeated(held, now())) return;
    const wait = REPEAT_AFTER_MS[held.sent - 1] ?? 30_000;
    held.timer = setTimeout(() => sendAndRepeat(held), wait).unref();
  }
  function rest(held: Held): void {
    if (held.timer !== null) clearTimeout(held.timer);
    held.timer = null;
  }
  /** From now on the child can take it for what it says: its repeats begin anew. */
  function prove(held: Held, nonce: string): void {
    rest(held);
    held.answer = { ...held.answer, nonce };
    held.sent = 0;
    sendAndRepeat(held);
  }
  function add(requestId: RequestId, held: Held): void {
    const oldest = order[place];
    if (oldest !== undefined) drop(oldest);
    order[place] = requestId;
    place = (place + 1) % HELD_MAX;
    book.set(requestId, held);
  }
  function drop(requestId: RequestId): void {
    const held = book.get(requestId);
    if (held === undefined) return;
    rest(held);
    book.delete(requestId);
  }

  return {
    give(answer): void {
      const held = book.get(answer.requestId);
      if (held !== undefined) {
        if (held.answer.nonce === null && answer.nonce !== null) prove(held, answer.nonce);
        else send(held.answer);
        return;
      }
      const fresh: Held = { answer, sent: 0, leavesAt: answer.keepUntil, timer: null };
      add(answer.requestId, fresh);
      sendAndRepeat(fresh);
    },
    find: (requestId) => book.get(requestId)?.answer ?? null,
    receipted(requestId, digest): boolean {
      const held = book.get(requestId);
      if (held === undefined || answerDigest(held.answer.body) !== digest) return false;
      rest(held);
      held.leavesAt = Math.min(held.leavesAt, now() + RECEIPTED_KEPT_MS);
      return true;
    },
    resend(): void {
      for (const held of book.values()) if (held.timer !== null) send(held.answer);
    },
    sweep(at): void {
      for (const held of book.values()) if (at >= held.leavesAt) drop(held.answer.requestId);
    },
    close(): void {
      for (const held of book.values()) rest(held);
      book.clear();
    },
  };
}

function isRepeated(held: Held, now: number): boolean {
  const { answer } = held;
  if (now >= answer.keepUntil || answer.kind === "withdrawn") return false;
  return answer.kind === "decision" || held.sent <= REFUSAL_REPEATS;
}

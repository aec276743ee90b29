import { isLostReason, type LostReason } from "../ask/lost.ts";
import type { TerminalAnswer, TerminalAsk } from "../ask/ports.ts";
import { LOST_SENTENCES } from "../render/lost-sentences.ts";
import { WITHDRAWALS, type Withdrawal } from "./withdrawals.ts";

/** What a person is told about it. */
export function withdrawalText(why: Withdrawal): string {
  if (isLostReason(why)) return LOST_TEXTS[why] ?? LOST_SENTENCES[why].what;
  return ENDED_TEXTS[why];
}

const ENDED_TEXTS: Readonly<Record<Exclude<Withdrawal, LostReason>, string>> = {
  decided: "a rule, a grant or another answer decided it",
  stopped: "this process serves no longer",
  child_gone: "nothing is heard of its child; it comes back when the child does",
  withdrawn: "it ended in another way",
};

/** In the words of the one who would have answered; of the others the common sentence tells all. */
const LOST_TEXTS: Readonly<Partial<Record<LostReason, string>>> = {
  timed_out: "its time is over",
  cancelled: "its child took the call back",
  parent_shut_down: "this session ends and gave it back undecided",
};

/** How an ask left the queue. */
export type End = "already_answered" | "withdrawn" | "not_shown";

/** An ask in the queue. */
export interface QueuedAsk {
  readonly ask: TerminalAsk;
  /** Whether it is before the person. */
  readonly shown: boolean;
}

/** What a queue is built with. */
export interface AskQueueOptions {
  /** Asks on show at the same time, from 1. */
  readonly open: number;
  /** Puts an ask before the person. What it throws becomes the ask's gate error. */
  readonly show: (entry: QueuedAsk) => void;
  /** Told when an ask that is on show was taken back, and with which word. */
  readonly takenBack: (ask: TerminalAsk, why: Withdrawal) => void;
  /** Told when an ask came or went. */
  readonly changed?: () => void;
}

/** Asks for a person in the order of their arrival. */
export interface AskQueue {
  readonly decide: (ask: TerminalAsk, signal: AbortSignal) => Promise<TerminalAnswer>;
  readonly waiting: () => number;
  /** The ask on show under this id, else why there is none. */
  readonly find: (requestId: string) => QueuedAsk | End | "unknown_request" | "not_presented";
  /** Answers an ask that is on show. Room for the next is used by `fill`. */
  readonly answer: (entry: QueuedAsk, answer: TerminalAnswer) => void;
  /** Rejects an ask that could not be shown after all. */
  readonly fail: (entry: QueuedAsk, error: unknown) => void;
  /** Shows what waits as long as there is room. */
  readonly fill: () => void;
}

interface Entry extends QueuedAsk {
  readonly settle: (answer: TerminalAnswer) => void;
  readonly fail: (error: unknown) => void;
  shown: boolean;
}

/** How many ended asks are remembered, so that a late answer is refused by its right name. */
const REMEMBERED = 10_000;

const TAKEN_BACK: TerminalAnswer = { kind: "unavailable", reason: "withdrawn" };

/**
 * Keeps asks in the order of their arrival and shows at most `open` at a time. An ask that is taken back makes
 * room at once. One that cannot be shown rejects, so that its child is told.
 */
export function createAskQueue(options: AskQueueOptions): AskQueue {
  const queue: Entry[] = [];
  const ended = new Map<string, End>();
  let onShow = 0;
  const waiting = (): number => queue.length - onShow;
  const entryOf = ({ ask }: QueuedAsk): Entry | undefined =>
    queue.find((entry) => entry.ask === ask);

  const remove = (entry: Entry, end: End): void => {
    queue.splice(queue.indexOf(entry), 1);
    if (entry.shown) onShow -= 1;
    ended.delete(entry.ask.details.requestId);
    ended.set(entry.ask.details.requestId, end);
    for (const oldest of ended.keys()) {
      if (ended.size <= REMEMBERED) break;
      ended.delete(oldest);
    }
    options.changed?.();
  };

  const reject = (entry: Entry, error: unknown): void => {
    remove(entry, "not_shown");
    entry.fail(error);
  };

  const fill = (): void => {
    for (;;) {
      const next = onShow < options.open ? queue.find((entry) => !entry.shown) : undefined;
      if (next === undefined) return;
      next.shown = true;
      onShow += 1;
      try {
        options.show(next);
      } catch (error) {
        reject(next, error);
      }
    }
  };

  const decide = async (ask: TerminalAsk, signal: AbortSignal): Promise<TerminalAnswer> =>
    new Promise((resolve, rejectAsk) => {
      if (signal.aborted) return resolve(TAKEN_BACK);
      const withdraw = (): void => {
        remove(entry, "withdrawn");
        if (entry.shown) options.takenBack(ask, whyOf(signal.reason));
        resolve(TAKEN_BACK);
        fill();
      };
      const done = (): void => signal.removeEventListener("abort", withdraw);
      const entry: Entry = {
        ask,
        shown: false,
        settle: (given) => {
          done();
          resolve(given);
        },
        fail: (error) => {
          done();
          rejectAsk(error instanceof Error ? error : new Error(String(error)));
        },
      };
      signal.addEventListener("abort", withdraw, { once: true });
      queue.push(entry);
      options.changed?.();
      fill();
    });

  return {
    decide,
    waiting,
    fill,
    find: (requestId) => {
      const entry = queue.find(({ ask }) => ask.details.requestId === requestId);
      if (entry === undefined) return ended.get(requestId) ?? "unknown_request";
      return entry.shown ? entry : "not_presented";
    },
    answer: (shown, given) => {
      const entry = entryOf(shown);
      if (entry === undefined) return;
      remove(entry, "already_answered");
      entry.settle(given);
    },
    fail: (shown, error) => {
      const entry = entryOf(shown);
      if (entry !== undefined) reject(entry, error);
    },
  };
}

/** The word an abort was given, else `withdrawn`. */
function whyOf(reason: unknown): Withdrawal {
  return WITHDRAWALS.find((word) => word === reason) ?? "withdrawn";
}

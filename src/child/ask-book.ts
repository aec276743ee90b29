import type { LostReason } from "../ask/lost.ts";
import type {
  Accepted,
  CancelReason,
  Decision,
  HeldBy,
  Progress,
  Refused,
} from "../ask/messages.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ChildLine, SealedAsk } from "../bus/lines.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Journal } from "../journal/journal.ts";
import type { AskCase, AskEnding } from "./ask-case.ts";
import { nextTimer, step } from "./ask-machine.ts";
import { lossOfFailure, openAskRows } from "./ask-rows.ts";
import { type AskEffect, type AskEvent, type AskStatus, createdAsk } from "./ask-status.ts";
import type { CancelQueue } from "./cancel-queue.ts";

/** What the asks of one process share. */
export interface AskBookParts {
  readonly line: Pick<ChildLine, "publishAsk" | "publishReceipt">;
  readonly journal: Pick<Journal, "write" | "group" | "soon">;
  readonly cancels: Pick<CancelQueue, "add">;
  readonly connected: () => boolean;
  readonly clock: Clock;
  readonly log: Log;
  /** How long 503 alone is borne before any `accepted`, in milliseconds. */
  readonly graceMs: number;
  /** A number from 0 to 1, for the jitter of repeats. */
  readonly roll: () => number;
}

/** An ask of this process that has no ending yet. */
export interface OpenCase {
  readonly ask: AskCase;
  readonly status: AskStatus;
  /** Monotonic milliseconds. */
  readonly begunAt: number;
  /** Who holds it, as its parent said last; null before it said so. */
  readonly heldBy: HeldBy | null;
}

/** What a message brought along that no transition looks at. */
export interface Heard {
  readonly accepted?: Accepted | Progress;
  readonly decision?: Decision;
  readonly refused?: Refused;
}

/** The asks of one process: their rows, their machines and their timers. */
export interface AskBook {
  /** Puts an ask and waits for its ending. Never rejects. */
  put(ask: AskCase): Promise<AskEnding>;
  /** Steps one ask; false when it is not open in this process. */
  feed(requestId: RequestId, event: AskEvent, heard?: Heard): boolean;
  /** Forgets an open ask: its row stays as it is, for another process, and its ending is never let out. */
  leave(requestId: RequestId): void;
  /** Steps every open ask, or those that are put to one parent now. */
  feedAll(event: AskEvent, parent?: string): void;
  /** The open ask with this id, as it was sent. */
  sealed(requestId: RequestId): SealedAsk | undefined;
  /** Whether the open ask with this id was put to the parent with this token and has moved on since. */
  hasLeft(requestId: RequestId, parentToken: string): boolean;
  open(): readonly OpenCase[];
}

interface Entry extends OpenCase {
  readonly settle: (ending: AskEnding) => void;
  readonly waiting: { readonly event: AskEvent; readonly heard: Heard; readonly of: AskCase }[];
  /** As it is put to the parent asked now. */
  ask: AskCase;
  readonly others: (() => AskCase | null)[];
  /** Tokens of the parents it has left. */
  readonly left: Set<string>;
  status: AskStatus;
  heldBy: HeldBy | null;
  timer: NodeJS.Timeout | null;
  busy: boolean;
  /** Whether the ask has a row of its own in the journal. */
  hasRow: boolean;
  /** Whether the ending is out: nothing counts after it. */
  over: boolean;
}

/** Opens an empty book. */
export function openAskBook(parts: AskBookParts): AskBook {
  const { line, cancels, clock, log } = parts;
  const rows = openAskRows(parts);
  const entries = new Map<RequestId, Entry>();
  const idOf = (entry: Entry): RequestId => entry.ask.sealed.ask.id;

  /** The ask is out of the map before its ending is let out: nothing reaches it any more. */
  function settle(entry: Entry, ending: AskEnding): void {
    if (entry.timer !== null) clearTimeout(entry.timer);
    entry.timer = null;
    entry.over = true;
    if (entries.get(idOf(entry)) === entry) entries.delete(idOf(entry));
    entry.settle(ending);
  }

  /** One event at a time, in order of arrival: the next one waits until what this one causes is done. */
  function feed(entry: Entry, event: AskEvent, heard: Heard = {}): void {
    if (entry.over || isLeftByClosing(entry, event)) return;
    if (heard.accepted !== undefined) {
      entry.heldBy = holderOf(heard.accepted);
      entry.ask.passedOn?.moved(heard.accepted);
    }
    entry.waiting.push({ event, heard, of: entry.ask });
    if (!entry.busy) drain(entry);
  }

  function drain(entry: Entry): void {
    entry.busy = true;
    try {
      for (let next = entry.waiting.shift(); next !== undefined; next = entry.waiting.shift()) {
        if (next.of !== entry.ask && OF_ONE_PARENT.has(next.event.kind)) continue;
        const kept = advance(entry, next.event, next.heard);
        if (kept === null) continue;
        kept.then(
          () => drain(entry),
          (error: unknown) => giveUp(entry, error),
        );
        return;
      }
      entry.busy = false;
      arm(entry);
    } catch (error) {
      giveUp(entry, error);
    }
  }

  function giveUp(entry: Entry, error: unknown): void {
    log.error({ requestId: idOf(entry), err: error }, "an ask failed inside and is given up");
    settle(entry, { kind: "lost", lost: "gate_error", refused: null });
  }

  /** Steps and does what the step asks for; a promise when that waits for the journal, else null. */
  function advance(entry: Entry, event: AskEvent, heard: Heard): Promise<void> | null {
    const moment = { now: clock.monotonic(), roll: parts.roll() };
    const { status, effects } = step(entry.status, event, moment);
    entry.status = status;
    return performAll(entry, effects, heard);
  }

  function performAll(
    entry: Entry,
    effects: readonly AskEffect[],
    heard: Heard,
  ): Promise<void> | null {
    for (const [index, effect] of effects.entries()) {
      const follows = perform(entry, effect, heard);
      if (follows === null) continue;
      if (follows instanceof Promise) {
        return follows.then(async (event) => {
          if (event === null) await performAll(entry, effects.slice(index + 1), heard);
          else await advance(entry, event, heard);
        });
      }
      const kept = advance(entry, follows, heard);
      if (kept !== null || follows.kind === "unwritten") return kept;
    }
    return null;
  }

  /** Does what a transition asks for; returns the event that tells how it went, where one does. */
  function perform(
    entry: Entry,
    effect: AskEffect,
    heard: Heard,
  ): AskEvent | Promise<AskEvent | null> | null {
    const { sealed } = entry.ask;
    switch (effect.kind) {
      case "publish": {
        const remainingMs = Math.max(0, entry.status.deadlineAt - clock.monotonic());
        return { kind: "published", outcome: line.publishAsk(sealed, remainingMs) };
      }
      case "move":
        return move(entry, effect.lost);
      case "note_accepted":
        if (heard.accepted !== undefined) noteAccepted(entry, heard.accepted);
        return null;
      case "apply":
        return apply(entry, effect.decisionDigest, heard.decision);
      case "lose":
        lose(entry, effect.cancel, {
          kind: "lost",
          lost: effect.lost,
          refused: heard.refused?.lost === effect.lost ? heard.refused : null,
        });
        return null;
      case "receipt":
        // Whether a decision was applied is said by the child it was for.
        if (entry.ask.passedOn !== undefined && effect.effect !== "late") return null;
        line.publishReceipt(sessionToken(sealed.ask.targetSessionId), {
          requestId: sealed.ask.id,
          decisionDigest: effect.decisionDigest,
          effect: effect.effect,
        });
        return null;
    }
  }

  /** The cancel for the parent left stands in the journal before anything is put to the next one. */
  function move(entry: Entry, lost: LostReason): AskEvent {
    const next = entry.others.shift()?.() ?? null;
    if (next === null) return { kind: "published", outcome: "too_large" };
    try {
      const cancel = rows.moved(entry.ask, next, lost);
      entry.left.add(sessionToken(cancel.parent));
      entry.ask = next;
      entry.heldBy = null;
      cancels.add(cancel);
      return { kind: "journalled", connected: parts.connected() };
    } catch (error) {
      return unwritten(entry, error);
    }
  }

  function noteAccepted(entry: Entry, message: Accepted): void {
    rows.accepted(entry.ask, message).catch((error: unknown) => {
      feed(entry, unwritten(entry, error));
    });
  }

  /** The outcome is let out when the decision is durable, not before. */
  async function apply(
    entry: Entry,
    digest: string,
    decision: Decision | undefined,
  ): Promise<AskEvent | null> {
    if (decision === undefined) throw new Error("a decision came without its message");
    try {
      settle(entry, await rows.decided(entry.ask, decision, digest));
      return null;
    } catch (error) {
      return unwritten(entry, error);
    }
  }

  function lose(entry: Entry, why: CancelReason | null, ending: AskEnding): void {
    const cancel = rows.lost(entry.ask, ending, { why, hasRow: entry.hasRow });
    settle(entry, ending);
    if (cancel !== null) cancels.add(cancel);
  }

  function unwritten(entry: Entry, error: unknown): AskEvent<"unwritten"> {
    log.error({ requestId: idOf(entry), err: error }, "the journal did not take a step of an ask");
    return { kind: "unwritten", lost: lossOfFailure(error) };
  }

  function arm(entry: Entry): void {
    if (entry.timer !== null) clearTimeout(entry.timer);
    const due = nextTimer(entry.status);
    entry.timer =
      due === null
        ? null
        : setTimeout(
            () => feed(entry, { kind: "timer" }),
            Math.max(0, Math.ceil(due - clock.monotonic())),
          );
  }

  function begin(ask: AskCase, settled: (ending: AskEnding) => void): Entry {
    const begunAt = clock.monotonic();
    const entry: Entry = {
      ask,
      others: [...(ask.others ?? [])],
      left: new Set(),
      begunAt,
      settle: settled,
      waiting: [],
      status: createdAsk({
        deadlineAt: begunAt + ask.lifeMs,
        graceMs: parts.graceMs,
        othersLeft: ask.others?.length ?? 0,
      }),
      heldBy: null,
      timer: null,
      // What happens before the row is durable waits for it.
      busy: true,
      hasRow: false,
      over: false,
    };
    entries.set(idOf(entry), entry);
    const begun = (event: AskEvent): void => {
      entry.waiting.push({ event, heard: {}, of: entry.ask });
      drain(entry);
    };
    if (ask.passedOn !== undefined) {
      entry.hasRow = true;
      begun({ kind: "journalled", connected: parts.connected() });
      return entry;
    }
    rows
      .insert(ask)
      .then(
        () => {
          entry.hasRow = true;
          ask.writer.kept();
          begun({ kind: "journalled", connected: parts.connected() });
        },
        (error: unknown) => begun(unwritten(entry, error)),
      )
      .catch((error: unknown) => giveUp(entry, error));
    return entry;
  }

  return {
    put: async (ask) =>
      new Promise<AskEnding>((resolve) => {
        const { signal } = ask;
        function takeBack(): void {
          feed(entry, { kind: "abort" });
        }
        const entry = begin(ask, (ending) => {
          signal?.removeEventListener("abort", takeBack);
          resolve(ending);
        });
        signal?.addEventListener("abort", takeBack, { once: true });
        if (signal?.aborted === true) takeBack();
      }),
    feed: (requestId, event, heard) => {
      const entry = entries.get(requestId);
      if (entry === undefined) return false;
      feed(entry, event, heard);
      return true;
    },
    leave: (requestId) => {
      const entry = entries.get(requestId);
      if (entry === undefined) return;
      if (entry.timer !== null) clearTimeout(entry.timer);
      entry.over = true;
      entries.delete(requestId);
    },
    feedAll: (event, parent) => {
      for (const entry of entries.values()) {
        const asked = entry.ask.sealed.ask.targetSessionId;
        if (parent === undefined || parent === asked) feed(entry, event);
      }
    },
    sealed: (requestId) => entries.get(requestId)?.ask.sealed,
    hasLeft: (requestId, token) => entries.get(requestId)?.left.has(token) === true,
    open: () => [...entries.values()],
  };
}

/** What is said by or about one parent: after a move it concerns nobody. */
const OF_ONE_PARENT: ReadonlySet<AskEvent["kind"]> = new Set([
  "no_responders",
  "accepted",
  "progress",
  "decision",
  "refused",
  "unreadable",
  "parent_returned",
  "publish_refused",
]);

function holderOf(message: Accepted | Progress): HeldBy {
  return "heldBy" in message ? message.heldBy : { kind: message.state };
}

/** An ask of another session goes on in the next process of this one when the connection is closed for good. */
function isLeftByClosing({ ask }: Entry, event: AskEvent): boolean {
  return ask.passedOn !== undefined && event.kind === "severed" && event.lost === "bus_unreachable";
}

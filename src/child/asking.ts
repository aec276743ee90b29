import type { Clock, Log } from "../ask/ports.ts";
import type { Bus } from "../bus/bus.ts";
import { openChildLine } from "../bus/child-line.ts";
import type { ChildLine } from "../bus/lines.ts";
import type { Journal } from "../journal/journal.ts";
import { type Announcer, openAnnouncer } from "./announce.ts";
import { type AskBook, openAskBook } from "./ask-book.ts";
import { type CancelQueue, openCancelQueue } from "./cancel-queue.ts";
import { type ChildLink, openChildLink } from "./child-link.ts";
import { hear } from "./hear.ts";
import { openReceipts } from "./receipts.ts";

/** What asking is put together from. */
export interface AskingParts {
  readonly bus: Bus;
  readonly session: string;
  /** The sessions that answer, in the order in which they are asked; empty when there is none. */
  readonly parents: readonly string[];
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Log;
  /** How long 503 alone is borne before any `accepted`, in milliseconds. */
  readonly graceMs: number;
}

/** One session's end of the ask protocol, whoever its asks are for. */
export interface Asking {
  readonly line: ChildLine;
  readonly asks: AskBook;
  readonly cancels: CancelQueue;
  readonly link: ChildLink;
  readonly announcer: Pick<Announcer, "setUnheard">;
  /** Ends it; what waits stays in the journal. */
  close(): void;
}

/** Opens the asking: answers are heard from here on, and cancels that wait for their answer are sent again. */
export function openAsking(parts: AskingParts): Asking {
  const { bus, session, parents, journal, clock, log } = parts;
  const line = openChildLine({
    bus,
    session,
    pending: (requestId) => asks.sealed(requestId),
    hasLeft: (requestId, parentToken) => asks.hasLeft(requestId, parentToken),
    onInbound: (inbound) => {
      announcer.heard(inbound);
      hear({ asks, cancels, receipts, onPresence: (message) => link.onPresence(message) }, inbound);
    },
    log,
  });
  const cancels: CancelQueue = openCancelQueue({ line, journal, log });
  const receipts = openReceipts({ line, journal, monotonic: () => clock.monotonic() });
  const asks: AskBook = openAskBook({
    line,
    journal,
    cancels,
    connected: () => bus.port.connected(),
    clock,
    log,
    graceMs: parts.graceMs,
    roll: () => Math.random(),
  });
  const announcer = openAnnouncer({ bus, session, line, asks, journal, log });
  const link = openChildLink({ bus, session, parents, asks, cancels, announcer, clock, log });
  const stopListening = bus.port.onEvent((event) => link.onBusEvent(event));
  const watches = parents.map((parent) => line.watchParent(parent));
  for (const cancel of journal.read.queuedCancels()) cancels.add(cancel);
  return {
    line,
    asks,
    cancels,
    link,
    announcer,
    close: () => {
      for (const stopWatching of watches) stopWatching();
      stopListening();
      announcer.close();
      cancels.close();
      line.close();
    },
  };
}

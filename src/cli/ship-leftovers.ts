import type { Clock, Log } from "../ask/ports.ts";
import type { Bus } from "../bus/bus.ts";
import { type OutboxPump, openOutboxPump } from "../bus/outbox-pump.ts";
import { type LeftoversLock, tryLeftoversLock } from "../journal/leftovers-lock.ts";
import { type IdleJournal, idleJournals, type OpenOutbox } from "../journal/open-outbox.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { findServer, type Speaking } from "./prepare.ts";

/** Ships leftovers where the connection may speak for every session: with the token of a server of one user. */
export function leftoversOf(
  flags: CommonFlags,
  io: Io,
  { data, bus, session, log }: Pick<Speaking, "data" | "session" | "log"> & { readonly bus: Bus },
): Disposable {
  const kind = findServer(flags, io, data).credential?.kind;
  if (kind === "creds") return { [Symbol.dispose]: () => undefined };
  return shipLeftovers({ bus, data, speaker: session, clock: io.clock, log });
}

/** What leftovers are shipped with. */
export interface LeftoverParts {
  /** A connection that may publish the records of every session of the folder. */
  readonly bus: Bus;
  readonly data: string;
  /** As whom the connection speaks. */
  readonly speaker: string;
  readonly clock: Clock;
  readonly log: Log;
}

const LOOK_MS = 5_000;
const MOST_AT_ONCE = 8;

interface Leftover {
  readonly journal: IdleJournal;
  readonly outbox: OpenOutbox;
  readonly pump: OutboxPump;
}

/**
 * Ships what processes that are dead left in the outboxes of a data folder, for as long as it is held: what a
 * one-shot command could not bring away, and what a killed program had written last. One process of a folder
 * does so at a time; the others look again later.
 */
export function shipLeftovers(parts: LeftoverParts): Disposable {
  const { bus, data, speaker, clock, log } = parts;
  /** Journals that were found without anything to ship, by their last change. */
  const settled = new Map<string, number>();
  const open = new Map<string, Leftover>();
  let lock: LeftoversLock | null = null;
  let over = false;

  const take = async (journal: IdleJournal): Promise<void> => {
    const outbox = await journal.open(clock);
    if (outbox === null) return;
    const { firstN, parked } = outbox.read.outboxState();
    const nothing = firstN > outbox.read.head().n && parked === 0;
    if (over || nothing) {
      settled.set(journal.file, journal.changedAt);
      return outbox.close();
    }
    const pump = openOutboxPump({ bus, outbox, speaker, clock, log });
    open.set(journal.file, { journal, outbox, pump });
  };
  const letGo = ({ journal, outbox, pump }: Leftover): void => {
    open.delete(journal.file);
    try {
      pump.close();
    } finally {
      outbox.close();
    }
  };
  const look = async (): Promise<void> => {
    lock ??= tryLeftoversLock(data);
    if (lock === null) return;
    for (const leftover of open.values()) {
      if (leftover.pump.isEmpty() || leftover.journal.lives()) letGo(leftover);
    }
    for (const journal of idleJournals(data)) {
      if (over || open.size >= MOST_AT_ONCE) return;
      if (open.has(journal.file) || settled.get(journal.file) === journal.changedAt) continue;
      await take(journal).catch((error: unknown) => {
        settled.set(journal.file, journal.changedAt);
        log.error({ file: journal.file, err: error }, "records stay in a journal for now");
      });
    }
  };
  let looking = false;
  const guardedLook = (): void => {
    if (looking || over) return;
    looking = true;
    look()
      .catch((error: unknown) => log.error({ err: error }, "a data folder cannot be looked at"))
      .finally(() => {
        looking = false;
      });
  };
  guardedLook();
  const timer = setInterval(guardedLook, LOOK_MS).unref();
  return {
    [Symbol.dispose]: () => {
      over = true;
      clearInterval(timer);
      for (const leftover of open.values()) letGo(leftover);
      lock?.release();
    },
  };
}

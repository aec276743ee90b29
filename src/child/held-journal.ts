import type { Clock, Log } from "../ask/ports.ts";
import type { Journal } from "../journal/journal.ts";
import { openJournal } from "../journal/open-journal.ts";
import type { ChildOptions } from "./child.ts";
import type { Drafter } from "./parts.ts";

/** Pause between two clearings of the journal, in milliseconds. */
const SWEEP_EVERY_MS = 60 * 60 * 1000;

/** The journal a child works on: its own, or one that its program opened for several roles. */
export interface HeldJournal {
  readonly journal: Journal;
  /** Lets go of it; one of its own is closed. `clean` ends the session life with it, unless the session goes on. */
  close(clean: boolean): Promise<void>;
}

/**
 * Takes the journal of the options, or opens one, whose first record says that an incarnation begins.
 *
 * @throws {@link JournalError} when it cannot be used.
 */
export async function holdJournal(
  options: Pick<ChildOptions, "journal" | "data" | "session" | "sessionGoesOn">,
  parts: { readonly draft: Drafter; readonly clock: Clock; readonly log: Log },
): Promise<HeldJournal> {
  const { clock, log } = parts;
  const given = options.journal;
  if (given !== undefined) {
    const stop = sweepHourly(given, parts);
    return {
      journal: given,
      close: async () => {
        stop();
      },
    };
  }
  const journal = await openJournal({
    folder: options.data,
    session: options.session,
    clock,
    onSlowCommit: (ms) => log.warn({ ms }, "a commit of the journal was slow"),
  });
  const tell = (event: "audit.started" | "audit.stopped", fields: object): void => {
    const draft = parts.draft("review", null, { event, ...fields });
    journal.write((tx) => tx.record(draft, clock.now()));
  };
  try {
    tell("audit.started", { life: journal.life });
  } catch (error) {
    await journal.close(false);
    throw error;
  }
  const stop = sweepHourly(journal, parts);
  return {
    journal,
    close: async (clean) => {
      stop();
      try {
        if (clean) tell("audit.stopped", { clean });
      } catch (error) {
        log.error({ err: error }, "the end of an incarnation could not be recorded");
      } finally {
        await journal.close(clean && options.sessionGoesOn !== true);
      }
    },
  };
}

function sweepHourly(
  journal: Journal,
  { draft, clock, log }: { readonly draft: Drafter; readonly clock: Clock; readonly log: Log },
): () => void {
  const sweep = (): void => {
    try {
      const now = clock.now();
      journal.write((tx) => {
        tx.sweep(now);
        for (const grant of tx.takeExpiredGrants(now, "child_session")) {
          tx.record(draft("review", grant.requestId, { event: "grant.expired", ...grant }), now);
        }
      });
    } catch (error) {
      log.warn({ err: error }, "the journal could not be cleared of what nobody needs");
    }
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return () => clearInterval(timer);
}

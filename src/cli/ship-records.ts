import type { Clock, Log } from "../ask/ports.ts";
import type { Bus } from "../bus/bus.ts";
import type { OutboxPump } from "../bus/outbox-pump.ts";
import type { OpenOutbox } from "../journal/open-outbox.ts";

/** Longest time a program that ends goes on shipping, in milliseconds. */
const LAST_SHIPPING_MS = 2_000;

/** Brings a session's records to the audit stream while a program runs, and what is left when it ends. */
export interface Shipping extends AsyncDisposable {
  /** Begins; called when the session's journal is there. Never throws: records wait in the journal otherwise. */
  begin(): Promise<void>;
}

/** What is shipped, and over which connection. */
export interface ShippingParts {
  readonly bus: Bus;
  /** The data folder. */
  readonly data: string;
  readonly session: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens the shipping of one session. It is opened before the role that writes the records and so ends after it:
 * the last records leave as well.
 */
export function shipRecords(parts: ShippingParts): Shipping {
  const { bus, data, session, clock, log } = parts;
  let outbox: OpenOutbox | null = null;
  let pump: OutboxPump | null = null;
  return {
    begin: async () => {
      try {
        // Loaded now and not with the program: a one-shot ask is out by then.
        const [{ openOutboxPump }, { openOutbox }] = await Promise.all([
          import("../bus/outbox-pump.ts"),
          import("../journal/open-outbox.ts"),
        ]);
        outbox = await openOutbox({ folder: data, session, clock });
        pump = outbox === null ? null : openOutboxPump({ bus, outbox, clock, log });
      } catch (error) {
        log.error({ session, err: error }, "records stay in the journal for now");
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await pump?.drain(LAST_SHIPPING_MS);
        pump?.close();
      } catch (error) {
        log.error({ session, err: error }, "records stay in the journal for now");
      } finally {
        outbox?.close();
      }
    },
  };
}

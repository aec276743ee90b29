import type { Log } from "../ask/ports.ts";
import type { BusDelivery } from "./port.ts";

/** Counts what a line did not hand on, and keeps what fails in a handler away from the connection. */
export interface Drops {
  drop(reason: string): void;
  /** Wraps a handler: what it throws is counted as `handler_failed` and logged, nothing more. */
  guard(handle: (delivery: BusDelivery) => void): (delivery: BusDelivery) => void;
  counts(): Readonly<Record<string, number>>;
}

/** Starts counting at zero. */
export function countDrops(log?: Log): Drops {
  const counts = new Map<string, number>();
  const drop = (reason: string): void => {
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  };
  return {
    drop,
    guard: (handle) => (delivery) => {
      try {
        handle(delivery);
      } catch (error) {
        drop("handler_failed");
        log?.error({ room: "bus", subject: delivery.subject, err: error }, "a handler failed");
      }
    },
    counts: () => Object.fromEntries(counts),
  };
}

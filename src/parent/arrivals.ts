import type { RequestId } from "../ask/request-id.ts";
import type { Arrival } from "./serving.ts";

/**
 * New asks that the rules left open, until the message that brought the last of them is read to its end: what
 * comes together is kept by one sync of the disk. Nobody was told anything about them yet.
 */
export interface Arrivals {
  add(arrival: Arrival): void;
  has(requestId: RequestId): boolean;
  /** Takes them into this node's care now: before anything that might concern one of them. */
  settle(): void;
  /** Lets go of them: their children repeat. */
  close(): void;
}

/** Opens the list; `take` is given those that came together and never throws. */
export function openArrivals(take: (arrivals: readonly Arrival[]) => void): Arrivals {
  let arrived = new Map<RequestId, Arrival>();
  let closed = false;
  const settle = (): void => {
    if (arrived.size === 0) return;
    const together = [...arrived.values()];
    arrived = new Map();
    take(together);
  };
  return {
    add: (arrival) => {
      if (closed) return;
      if (arrived.size === 0) queueMicrotask(settle);
      arrived.set(arrival.received.ask.id, arrival);
    },
    has: (requestId) => arrived.has(requestId),
    settle,
    close: () => {
      closed = true;
      arrived = new Map();
    },
  };
}

import type { RequestId } from "../ask/request-id.ts";
import type { Arrival, Arrivals } from "./serving.ts";

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

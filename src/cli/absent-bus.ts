import type { Bus } from "../bus/bus.ts";
import type { BusPort } from "../bus/port.ts";

/** Size that every server of this product's own takes, in bytes. */
const USUAL_PAYLOAD = 512 * 1024;

/**
 * A bus without a server: what rules settle is settled, every ask ends as `bus_unreachable` at
 * once: the time for a server to come back was spent on connecting. For one-shot
 * commands, whose caller wants an outcome and not an error when the server is down.
 */
export function absentBus(): Bus {
  const port: BusPort = {
    maxPayloadBytes: USUAL_PAYLOAD,
    serverVersion: "",
    serverName: "",
    connected: () => false,
    publish: () => "closed",
    subscribe: (subject) => ({ subject, unsubscribe: () => undefined }),
    onEvent: (listener) => {
      const soon = setImmediate(() => listener({ kind: "closed", error: null }));
      return () => clearImmediate(soon);
    },
    flush: async () => Promise.resolve(false),
    closed: Promise.resolve(null),
    close: async () => Promise.resolve(),
    [Symbol.asyncDispose]: async () => Promise.resolve(),
  };
  return { port, prefix: "af.v1.absent", [Symbol.asyncDispose]: async () => Promise.resolve() };
}

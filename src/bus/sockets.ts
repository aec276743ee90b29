import type { ConnectionOptions, NatsConnection } from "@nats-io/nats-core";
import { NatsConnectionImpl, setTransportFactory } from "@nats-io/nats-core/internal";
import { NodeTransport, nodeResolveHost } from "@nats-io/transport-node/lib/node_transport.js";
import { gatherWrites } from "./gather-writes.ts";

/**
 * The sockets behind one connection. The client library keeps two of them longer than it should: one that
 * was given up while it waited for a server's greeting, and a dead one whose send buffer is full, which it
 * tries to flush before it notices anything. Both are ended from here.
 */
export interface Sockets {
  /** Called each time a socket on which the connection stood is gone. */
  onLost(listener: () => void): void;
  /** Ends the newest socket at once. */
  cut(): void;
  /** Ends the newest socket and keeps the library from dialling again. */
  abandon(): void;
}

const RECONNECT_WAIT_MS = 250;
const RECONNECT_JITTER_MS = 250;

type Adopt = (socket: NodeTransport) => void;

// The library makes sockets by one factory for the whole process; the connection's own handler tells whose.
const adopters = new WeakMap<object, Adopt>();

/** Milliseconds until the next attempt to reach a server: 250 to 500. */
export function retryDelayMs(): number {
  return RECONNECT_WAIT_MS + Math.floor(Math.random() * (RECONNECT_JITTER_MS + 1));
}

/** Dials once; rejects with the library's error when no server of the list takes the connection. */
export function openSockets(options: ConnectionOptions): {
  readonly sockets: Sockets;
  readonly opened: Promise<NatsConnection>;
} {
  const listeners = new Set<() => void>();
  let newest: NodeTransport | null = null;
  let abandoned = false;
  const reconnectDelayHandler = (): number => {
    if (abandoned) throw new Error("given up");
    return retryDelayMs();
  };
  adopters.set(reconnectDelayHandler, (socket) => {
    newest = socket;
    void socket.closed().then(() => {
      if (newest !== socket) return;
      for (const listener of listeners) listener();
    });
  });
  const sockets: Sockets = {
    onLost: (listener) => {
      listeners.add(listener);
    },
    cut: () => {
      newest?.discard();
    },
    abandon: () => {
      abandoned = true;
      newest?.discard();
    },
  };
  setTransportFactory({ factory: makeSocket, dnsResolveFn: nodeResolveHost });
  return { sockets, opened: NatsConnectionImpl.connect({ ...options, reconnectDelayHandler }) };
}

function makeSocket(): NodeTransport {
  const socket = new NodeTransport();
  const dial = socket.connect.bind(socket);
  socket.connect = async (server, options) => {
    if (options.reconnectDelayHandler) adopters.get(options.reconnectDelayHandler)?.(socket);
    await dial(server, options);
  };
  gatherWrites(socket);
  return socket;
}

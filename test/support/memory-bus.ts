import type { Bus } from "../../src/bus/bus.ts";
import {
  createMemoryPort,
  type Deliver,
  type MemoryMessage,
  type MemoryPermissions,
  type MemoryPort,
  type MemoryServer,
} from "./memory-port.ts";

/** A broker in memory that behaves, towards its ports, like one nats-server. */
export interface MemoryBroker {
  connect(options?: { readonly permissions?: MemoryPermissions }): MemoryPort;
  /** Cuts every link; they stay cut until `start`. */
  stop(): void;
  start(): void;
  /** Tells every connection that the server is about to go. */
  lameDuck(): void;
  /** Every message that was taken, oldest first: what a wire tap would show. */
  readonly log: readonly MemoryMessage[];
}

/** Makes a broker. Deliveries and events come asynchronously and in order, as from a real server. */
export function createMemoryBroker(options?: {
  /** @defaultValue 524288 */
  readonly maxPayloadBytes?: number;
  /** @defaultValue "2.10.27" */
  readonly serverVersion?: string;
}): MemoryBroker {
  const ports = new Map<MemoryPort, Deliver>();
  const log: MemoryMessage[] = [];
  let running = true;
  const server: MemoryServer = {
    address: "memory:0",
    name: "memory",
    version: options?.serverVersion ?? "2.10.27",
    maxPayloadBytes: options?.maxPayloadBytes ?? 512 * 1024,
    running: () => running,
    attach: (port, deliver) => ports.set(port, deliver),
    detach: (port) => ports.delete(port),
    route: (from, message) => {
      log.push(message);
      let heard = false;
      for (const deliver of ports.values()) heard = deliver(message, false) || heard;
      if (heard || message.reply === null) return;
      const empty = { subject: message.reply, data: new Uint8Array(), headers: {}, reply: null };
      ports.get(from)?.(empty, true);
    },
  };
  return {
    log,
    connect: (connectOptions) => createMemoryPort(server, connectOptions?.permissions ?? {}),
    stop: () => {
      running = false;
      for (const port of ports.keys()) port.disconnect();
    },
    start: () => {
      running = true;
      for (const port of ports.keys()) port.reconnect();
    },
    lameDuck: () => {
      for (const port of ports.keys()) port.announceLameDuck();
    },
  };
}

/** A bus on its own connection to `broker`, for roles. */
export function memoryBus(
  broker: MemoryBroker,
  options?: { readonly permissions?: MemoryPermissions; readonly prefix?: string },
): Bus & { readonly port: MemoryPort } {
  const port = broker.connect(options);
  return {
    port,
    prefix: options?.prefix ?? "af.v1.test",
    [Symbol.asyncDispose]: async () => {
      await port.close();
    },
  };
}

import type { Msg, NatsConnection, Status, Subscription } from "@nats-io/nats-core";
import { checkFilter, checkSubject, headerBlock } from "./message-check.ts";
import { hand, toDelivery } from "./nats-message.ts";
import type { BusDelivery, BusEvent, BusPort, BusSubscription } from "./port.ts";
import type { Sockets } from "./sockets.ts";
import { toBusEvent } from "./status-events.ts";

const CLOSE_TIMEOUT_MS = 2_000;

interface Standing {
  readonly subject: string;
  readonly onDelivery: (delivery: BusDelivery) => void;
  live: boolean;
  /** Null while the server holds no interest for it. */
  native: Subscription | null;
}

/** Makes the port of a connection that has just been opened. */
export function createNatsPort(connection: NatsConnection, sockets: Sockets): BusPort {
  const standing = new Set<Standing>();
  const listeners = new Set<(event: BusEvent) => void>();
  let server = readServer(connection, { version: "", name: "", maxPayloadBytes: 0 });
  let linked = true;
  let closing: Promise<void> | null = null;

  const tell = (listener: (event: BusEvent) => void, event: BusEvent): void => {
    try {
      listener(event);
    } catch (error) {
      if (event.kind !== "handler_failed") emit({ kind: "handler_failed", subject: "", error });
    }
  };
  const emit = (event: BusEvent): void => {
    for (const listener of listeners) tell(listener, event);
  };

  const receive = (one: Standing, message: Msg): void => {
    if (!one.live) return;
    // A throw from here would end the library's read loop and with it the whole connection.
    try {
      one.onDelivery(toDelivery(message));
    } catch (error) {
      emit({ kind: "handler_failed", subject: one.subject, error });
    }
  };
  const attach = (one: Standing): void => {
    if (connection.isClosed() || connection.isDraining()) return;
    one.native = connection.subscribe(one.subject, {
      callback: (refusal, message) => {
        if (refusal) one.native = null;
        else receive(one, message);
      },
    });
  };

  const lost = (): void => {
    if (!linked || connection.isClosed()) return;
    linked = false;
    emit({ kind: "disconnected", server: connection.getServer() });
  };
  const restored = (): void => {
    if (linked) return;
    linked = true;
    server = readServer(connection, server);
    emit({ kind: "reconnected", server: connection.getServer() });
    for (const one of standing) if (one.native === null) attach(one);
  };
  const follow = (status: Status): void => {
    if (status.type === "disconnect") lost();
    else if (status.type === "reconnect") restored();
    else if (status.type === "staleConnection") sockets.cut();
    else {
      const event = toBusEvent(status);
      if (event) emit(event);
    }
  };
  const followAll = async (): Promise<void> => {
    for await (const status of connection.status()) follow(status);
  };

  const end = async (timeoutMs: number): Promise<void> => {
    if (linked && !connection.isClosed()) {
      await bounded(succeeds(connection.drain()), timeoutMs);
    }
    await connection.close();
    sockets.abandon();
    await closed;
  };
  const closed = connection.closed().then((error) => {
    linked = false;
    for (const one of standing) one.live = false;
    standing.clear();
    const reason = error ?? null;
    emit({ kind: "closed", error: reason });
    return reason;
  });

  sockets.onLost(lost);
  followAll().catch((error: unknown) => {
    emit({ kind: "handler_failed", subject: "", error });
  });
  setImmediate(() => {
    if (linked) emit({ kind: "connected", server: connection.getServer() });
  });
  const port: BusPort = {
    get maxPayloadBytes() {
      return server.maxPayloadBytes;
    },
    get serverVersion() {
      return server.version;
    },
    get serverName() {
      return server.name;
    },
    closed,
    connected: () => linked,
    publish: (subject, data, options) => {
      checkSubject(subject);
      if (options?.reply !== undefined) checkSubject(options.reply);
      const headers = options?.headers === undefined ? null : headerBlock(options.headers);
      const size = data.length + (headers?.length ?? 0);
      if (connection.isClosed()) return "closed";
      if (!linked) return "disconnected";
      if (size > server.maxPayloadBytes) return "too_large";
      return hand(connection, { subject, data, headers, reply: options?.reply });
    },
    subscribe: (subject, onDelivery): BusSubscription => {
      checkFilter(subject);
      const one: Standing = { subject, onDelivery, live: true, native: null };
      standing.add(one);
      attach(one);
      return {
        subject,
        unsubscribe: () => {
          one.live = false;
          standing.delete(one);
          one.native?.unsubscribe();
          one.native = null;
        },
      };
    },
    onEvent: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    flush: async (timeoutMs) => {
      if (!linked || connection.isClosed()) return false;
      return bounded(succeeds(connection.flush()), timeoutMs);
    },
    close: async (timeoutMs = CLOSE_TIMEOUT_MS) => {
      closing ??= end(timeoutMs);
      await closing;
    },
    [Symbol.asyncDispose]: async () => {
      await port.close();
    },
  };
  return port;
}

interface ServerFacts {
  readonly version: string;
  readonly name: string;
  readonly maxPayloadBytes: number;
}

function readServer(connection: NatsConnection, before: ServerFacts): ServerFacts {
  const info = connection.info;
  if (!info) return before;
  return { version: info.version, name: info.server_name, maxPayloadBytes: info.max_payload };
}

async function succeeds(work: Promise<void>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

async function bounded(work: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>();
  const timer = setTimeout(limit.resolve, timeoutMs, false);
  try {
    return await Promise.race([work, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}

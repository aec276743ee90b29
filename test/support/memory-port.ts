import { checkFilter, checkSubject, headerBlock } from "../../src/bus/message-check.ts";
import type {
  BusDelivery,
  BusEvent,
  BusPort,
  BusSubscription,
  PublishOptions,
} from "../../src/bus/port.ts";
import { includes, matches } from "./subject-match.ts";

// Taken at import, so that faked timers in a test hold no delivery back.
const later = globalThis.setImmediate;
const startTimer = globalThis.setTimeout;
const stopTimer = globalThis.clearTimeout;

/** Subjects a connection may use; absent: all. */
export interface MemoryPermissions {
  readonly publish?: readonly string[];
  readonly subscribe?: readonly string[];
}

/** One message on its way. */
export interface MemoryMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly reply: string | null;
}

/** Hands one message to a connection's subscriptions; says whether any of them matched. */
export type Deliver = (message: MemoryMessage, noResponders: boolean) => boolean;

/** The broker as its ports see it. */
export interface MemoryServer {
  readonly address: string;
  readonly name: string;
  readonly version: string;
  readonly maxPayloadBytes: number;
  running(): boolean;
  attach(port: MemoryPort, deliver: Deliver): void;
  detach(port: MemoryPort): void;
  route(from: MemoryPort, message: MemoryMessage): void;
}

/** A port on the broker in memory, with the ways to break its link. */
export interface MemoryPort extends BusPort {
  /** Cuts the link; nothing comes or goes until `reconnect`. */
  disconnect(): void;
  /** Joins the link again, when the broker runs. */
  reconnect(): void;
  /** What it may do from now on; subscriptions are judged anew on the next reconnect. */
  permit(permissions: MemoryPermissions): void;
  announceLameDuck(): void;
}

interface Standing {
  readonly subject: string;
  readonly onDelivery: (delivery: BusDelivery) => void;
  refused: boolean;
  live: boolean;
}

/** Makes a connected port. */
export function createMemoryPort(server: MemoryServer, initial: MemoryPermissions): MemoryPort {
  const { run, emit, onEvent } = createEvents();
  const standing = new Set<Standing>();
  const closed = Promise.withResolvers<Error | null>();
  let permissions = initial;
  let linked = true;
  let ended = false;
  let closing: Promise<void> | null = null;

  const receive = (target: Standing, delivery: BusDelivery): void => {
    if (!target.live || !linked) return;
    try {
      target.onDelivery(delivery);
    } catch (error) {
      emit({ kind: "handler_failed", subject: target.subject, error });
    }
  };
  const deliver: Deliver = (message, noResponders) => {
    if (!linked) return false;
    const delivery = toDelivery(message, noResponders);
    const targets = [...standing].filter(
      (one) => !one.refused && matches(one.subject, message.subject),
    );
    for (const target of targets) {
      run(() => {
        receive(target, delivery);
      });
    }
    return targets.length > 0;
  };
  const judge = (one: Standing): void => {
    const filters = permissions.subscribe;
    one.refused = filters?.every((filter) => !includes(filter, one.subject)) ?? false;
    if (one.refused) emit({ kind: "subscription_refused", subject: one.subject });
  };
  const settle = async (timeoutMs: number): Promise<boolean> => {
    const result = Promise.withResolvers<boolean>();
    const timer = startTimer(result.resolve, timeoutMs, false);
    run(() => {
      result.resolve(linked);
    });
    const settled = await result.promise;
    stopTimer(timer);
    return settled;
  };
  const end = async (timeoutMs: number): Promise<void> => {
    if (linked) await settle(timeoutMs);
    linked = false;
    ended = true;
    standing.clear();
    server.detach(port);
    emit({ kind: "closed", error: null });
    closed.resolve(null);
  };

  const port: MemoryPort = {
    maxPayloadBytes: server.maxPayloadBytes,
    serverVersion: server.version,
    serverName: server.name,
    closed: closed.promise,
    connected: () => linked,
    publish: (subject, data, options) => {
      const { bytes, message } = toMessage(subject, data, options);
      if (ended) return "closed";
      if (!linked) return "disconnected";
      if (bytes > server.maxPayloadBytes) return "too_large";
      if (permissions.publish?.every((filter) => !matches(filter, subject)) ?? false) {
        emit({ kind: "publish_refused", subject });
      } else server.route(port, message);
      return "sent";
    },
    subscribe: (subject, onDelivery): BusSubscription => {
      checkFilter(subject);
      const one: Standing = { subject, onDelivery, refused: false, live: true };
      standing.add(one);
      if (linked) judge(one);
      return {
        subject,
        unsubscribe: () => {
          one.live = false;
          standing.delete(one);
        },
      };
    },
    onEvent,
    flush: async (timeoutMs) => linked && (await settle(timeoutMs)),
    close: async (timeoutMs = 2_000) => {
      closing ??= end(timeoutMs);
      await closing;
    },
    disconnect: () => {
      if (!linked) return;
      linked = false;
      emit({ kind: "disconnected", server: server.address });
    },
    reconnect: () => {
      if (linked || ended || !server.running()) return;
      linked = true;
      emit({ kind: "reconnected", server: server.address });
      for (const one of standing) judge(one);
    },
    permit: (next) => {
      permissions = next;
    },
    announceLameDuck: () => {
      emit({ kind: "lame_duck", server: server.address });
    },
    [Symbol.asyncDispose]: async () => {
      await port.close();
    },
  };
  server.attach(port, deliver);
  emit({ kind: "connected", server: server.address });
  return port;
}

interface Events {
  /** Runs steps later, one after the other. */
  readonly run: (step: () => void) => void;
  readonly emit: (event: BusEvent) => void;
  readonly onEvent: BusPort["onEvent"];
}

function createEvents(): Events {
  const queue: (() => void)[] = [];
  const listeners = new Set<(event: BusEvent) => void>();
  const run = (step: () => void): void => {
    queue.push(step);
    if (queue.length === 1) later(drain);
  };
  const drain = (): void => {
    for (const step of queue.splice(0)) step();
  };
  const tell = (listener: (event: BusEvent) => void, event: BusEvent): void => {
    try {
      listener(event);
    } catch (error) {
      if (event.kind !== "handler_failed") emit({ kind: "handler_failed", subject: "", error });
    }
  };
  const emit = (event: BusEvent): void => {
    run(() => {
      for (const listener of listeners) tell(listener, event);
    });
  };
  return {
    run,
    emit,
    onEvent: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

function toMessage(
  subject: string,
  data: Uint8Array,
  options: PublishOptions | undefined,
): { readonly bytes: number; readonly message: MemoryMessage } {
  checkSubject(subject);
  const reply = options?.reply ?? null;
  if (reply !== null) checkSubject(reply);
  const given = options?.headers ?? {};
  const bytes = data.length + headerBlock(given).length;
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.trim()]),
  );
  return { bytes, message: { subject, data: Uint8Array.from(data), headers, reply } };
}

function toDelivery(message: MemoryMessage, noResponders: boolean): BusDelivery {
  return {
    subject: message.subject,
    data: message.data,
    noResponders,
    header: (name) => (Object.hasOwn(message.headers, name) ? message.headers[name] : undefined),
  };
}

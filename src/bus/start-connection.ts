import { setTimeout as pause } from "node:timers/promises";
import { type ConnectionOptions, errors, type NatsConnection } from "@nats-io/nats-core";
import { BusError } from "./bus-error.ts";
import type { ConnectSettings } from "./connect-options.ts";
import { openSockets, retryDelayMs, type Sockets } from "./sockets.ts";

/** A connection that stands, with its sockets. */
export interface Started {
  readonly connection: NatsConnection;
  readonly sockets: Sockets;
}

/** Refusals in a row that end a start: one may come from a server that is still reading its accounts. */
const REFUSALS_TO_GIVE_UP = 2;

/** Tries servers until one takes the connection, the limit passes, credentials are refused, or `signal` aborts. */
export async function startConnection(
  settings: ConnectSettings,
  signal?: AbortSignal,
): Promise<Started> {
  const limit = AbortSignal.timeout(settings.startTimeoutMs);
  const stop = signal ? AbortSignal.any([signal, limit]) : limit;
  let refusals = 0;
  let last: unknown = null;
  while (!stop.aborted) {
    const outcome = await attempt(toLibraryOptions(settings), stop);
    if (outcome.kind === "started") return outcome.started;
    if (outcome.kind === "failed") last = outcome.error;
    refusals = isRefusal(last) ? refusals + 1 : 0;
    if (refusals >= REFUSALS_TO_GIVE_UP) throw authRefused(settings, last);
    await pause(retryDelayMs(), null, { signal: stop }).catch(() => null);
  }
  signal?.throwIfAborted();
  throw isRefusal(last) ? authRefused(settings, last) : startTimeout(settings, last);
}

type Attempt =
  | { readonly kind: "started"; readonly started: Started }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "stopped" };

async function attempt(options: ConnectionOptions, stop: AbortSignal): Promise<Attempt> {
  const { sockets, opened } = openSockets(options);
  const stopped = Promise.withResolvers<Attempt>();
  const give = (): void => {
    stopped.resolve({ kind: "stopped" });
  };
  stop.addEventListener("abort", give, { once: true });
  const outcome = await Promise.race([
    opened.then(
      (connection): Attempt => ({ kind: "started", started: { connection, sockets } }),
      (error: unknown): Attempt => ({ kind: "failed", error }),
    ),
    stopped.promise,
  ]);
  stop.removeEventListener("abort", give);
  if (outcome.kind !== "started") sockets.abandon();
  if (outcome.kind === "stopped") {
    void opened.then(
      async (connection) => {
        await connection.close();
      },
      () => null,
    );
  }
  return outcome;
}

function toLibraryOptions(settings: ConnectSettings): ConnectionOptions {
  return {
    servers: [...settings.servers],
    authenticator: settings.authenticator,
    ...(settings.tls && { tls: settings.tls }),
    name: settings.name,
    inboxPrefix: settings.inboxPrefix,
    timeout: settings.dialTimeoutMs,
    pingInterval: settings.pingIntervalMs,
    maxPingOut: 2,
    reconnect: true,
    maxReconnectAttempts: -1,
    ignoreAuthErrorAbort: true,
    ignoreClusterUpdates: settings.ignoreClusterUpdates,
    noAsyncTraces: true,
  };
}

function isRefusal(error: unknown): boolean {
  // The server's own time-out for credentials says nothing about them.
  return error instanceof errors.AuthorizationError && !/timeout/i.test(error.message);
}

function authRefused(settings: ConnectSettings, cause: unknown): BusError {
  const refused =
    settings.credentials === null
      ? "this connection, which shows no credentials"
      : `the ${settings.credentials} of this connection`;
  return new BusError(
    "bus_auth_refused",
    `The NATS server at ${settings.shownServers} refused ${refused} (${reasonOf(cause)}). Give it the credentials that this server issued, or name the server they belong to.`,
    { cause },
  );
}

function startTimeout(settings: ConnectSettings, cause: unknown): BusError {
  return new BusError(
    "bus_start_timeout",
    `No NATS server took the connection at ${settings.shownServers} within ${String(settings.startTimeoutMs)} ms (${reasonOf(cause)}). Start one there ("askfabric up" runs one on this machine), or name another server.`,
    { cause },
  );
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error && cause.message !== "" ? cause.message : "no answer";
}

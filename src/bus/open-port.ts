import type { NatsConnection } from "@nats-io/nats-core";
import {
  type ConnectOptions,
  type ConnectSettings,
  readConnectOptions,
} from "./connect-options.ts";
import { createNatsPort } from "./nats-port.ts";
import type { BusPort } from "./port.ts";
import { startConnection } from "./start-connection.ts";

/** A connection that stands, as this room works with it. */
export interface OpenPort extends AsyncDisposable {
  readonly settings: ConnectSettings;
  readonly connection: NatsConnection;
  readonly port: BusPort;
}

/** Checks options and connects; fails as `connect` does. */
export async function openPort(options: ConnectOptions): Promise<OpenPort> {
  const settings = readConnectOptions(options);
  const { connection, sockets } = await startConnection(settings, options.signal);
  const port = createNatsPort(connection, sockets);
  return {
    settings,
    connection,
    port,
    [Symbol.asyncDispose]: async () => {
      await port.close();
    },
  };
}

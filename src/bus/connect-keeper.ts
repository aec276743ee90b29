import type { Bus } from "./bus.ts";
import { type ConnectOptions, readConnectOptions } from "./connect-options.ts";
import { createNatsPort } from "./nats-port.ts";
import { openRecordStream, type RecordStream } from "./record-stream.ts";
import { startConnection } from "./start-connection.ts";

/** A connection of the audit account. */
export interface KeeperBus extends Bus {
  readonly records: RecordStream;
}

/** Connects to the account that holds the audit stream, as its sink or its provisioner; fails as `connect` does. */
export async function connectKeeper(options: ConnectOptions): Promise<KeeperBus> {
  const settings = readConnectOptions(options);
  const { connection, sockets } = await startConnection(settings, options.signal);
  const port = createNatsPort(connection, sockets);
  return {
    port,
    prefix: settings.prefix,
    records: openRecordStream(connection, settings.prefix, settings.shownServers),
    [Symbol.asyncDispose]: async () => {
      await port.close();
    },
  };
}

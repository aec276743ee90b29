import type { Bus } from "./bus.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { openPort } from "./open-port.ts";
import { openRecordStream, type RecordStream } from "./record-stream.ts";

/** A connection of the audit account. */
export interface KeeperBus extends Bus {
  readonly records: RecordStream;
}

/** Connects to the account that holds the audit stream, as its sink or its provisioner; fails as `connect` does. */
export async function connectKeeper(options: ConnectOptions): Promise<KeeperBus> {
  const { port, connection, settings, [Symbol.asyncDispose]: close } = await openPort(options);
  const { prefix, shownServers } = settings;
  const records = openRecordStream(connection, prefix, shownServers);
  return { port, prefix, records, [Symbol.asyncDispose]: close };
}

import { join } from "node:path";
import type { Clock, Log } from "../ask/ports.ts";
import { openSink, type SinkStatus } from "../audit/sink.ts";
import { connectKeeper } from "../bus/connect-keeper.ts";
import type { ConnectOptions } from "../bus/connect-options.ts";
import { openSqliteStore } from "../store/sqlite-store.ts";
import { demandRecordStream } from "./provision-records.ts";

/** The audit store of a data folder. */
export function storeFileOf(data: string): string {
  return join(data, "audit", "records.sqlite");
}

/** Records being kept. */
export interface Keeping extends AsyncDisposable {
  status(): SinkStatus;
  /** Resolves when its connection is closed for good, with what closed it. */
  readonly closed: Promise<Error | null>;
}

/** What records are kept with. */
export interface KeepingParts {
  /** How to reach the audit account as its sink. */
  readonly connection: ConnectOptions;
  /** File of the store. */
  readonly store: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens the store, checks the stream and begins to keep records. What runs goes on through every restart of the
 * server.
 *
 * @throws StoreError, StreamError or BusError when it cannot begin.
 */
export async function keepRecords(parts: KeepingParts): Promise<Keeping> {
  const { clock, log } = parts;
  const store = await openSqliteStore(parts.store);
  try {
    const bus = await connectKeeper({ session: "sink", ...parts.connection });
    try {
      await demandRecordStream(bus, { prefix: bus.prefix, maxBytes: null, replicas: null });
      const sink = await openSink({ stream: bus.records, port: bus.port, store, clock, log });
      return {
        status: () => sink.status(),
        closed: bus.port.closed,
        [Symbol.asyncDispose]: async () => {
          await sink.close();
          await bus[Symbol.asyncDispose]();
          await store[Symbol.asyncDispose]();
        },
      };
    } catch (error) {
      await bus[Symbol.asyncDispose]();
      throw error;
    }
  } catch (error) {
    await store[Symbol.asyncDispose]();
    throw error;
  }
}

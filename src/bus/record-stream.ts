import { type JetStreamManager, jetstreamManager, type StreamInfo } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import {
  type FeedEntry,
  openRecordFeed,
  type RecordFeed,
  type RecordFeedOptions,
} from "./record-feed.ts";
import { rereadRecords } from "./record-reread.ts";
import { holdsMore, isApiError, missing, toStreamError } from "./stream-error.ts";
import {
  RECORD_STREAM,
  recordStreamConfig,
  type StreamChoice,
  type StreamDifference,
  streamDifferences,
} from "./stream-settings.ts";

/** How full the audit stream is. */
export interface StreamFacts {
  readonly records: number;
  readonly bytes: number;
  readonly maxBytes: number;
  readonly replicas: number;
}

/** The audit stream behind a connection of its account. */
export interface RecordStream {
  /** Null when it is not there. @throws {@link StreamError} */
  facts(): Promise<StreamFacts | null>;
  /** What about it is not as records need it. @throws {@link StreamError} `stream_missing` and others. */
  check(choice: StreamChoice): Promise<readonly StreamDifference[]>;
  /** Makes it; only a provisioner may. @throws {@link StreamError} */
  create(choice: StreamChoice): Promise<void>;
  /** Changes what differs; only a provisioner may, and the server refuses some changes. @throws {@link StreamError} */
  change(choice: StreamChoice): Promise<void>;
  /** Reads it from where this reader stopped last. @throws {@link StreamError} */
  read(options: RecordFeedOptions): Promise<RecordFeed>;
  /**
   * Reads what it took since a moment, epoch milliseconds, once more; null: all it holds. Nothing is acknowledged.
   *
   * @throws {@link StreamError}
   */
  reread(
    since: number | null,
    take: (entries: readonly FeedEntry[]) => Promise<void>,
  ): Promise<void>;
}

const STREAM_NOT_FOUND = 10_059;
const API_TIMEOUT_MS = 3_000;

/** Opens the stream behind a connection. */
export function openRecordStream(
  connection: NatsConnection,
  prefix: string,
  where: string,
): RecordStream {
  const manager = once(
    async (): Promise<JetStreamManager> =>
      jetstreamManager(connection, { checkAPI: false, timeout: API_TIMEOUT_MS }),
  );
  const info = async (): Promise<StreamInfo | null> => {
    try {
      return await (await manager()).streams.info(RECORD_STREAM);
    } catch (error) {
      if (isApiError(error, STREAM_NOT_FOUND)) return null;
      throw toStreamError(error, where);
    }
  };
  const asProvisioner = async (
    work: (manager: JetStreamManager) => Promise<unknown>,
  ): Promise<void> => {
    try {
      await work(await manager());
    } catch (error) {
      throw toStreamError(error, where);
    }
  };
  return {
    facts: async () => {
      const found = await info();
      if (found === null) return null;
      const { state, config } = found;
      return {
        records: state.messages,
        bytes: state.bytes,
        maxBytes: config.max_bytes,
        replicas: config.num_replicas,
      };
    },
    check: async (choice) => {
      const found = await info();
      if (found === null) throw missing(where);
      return streamDifferences(found.config, choice);
    },
    create: async (choice) =>
      asProvisioner(async ({ streams }) => streams.add(recordStreamConfig(choice))),
    change: async (choice) => {
      const found = await info();
      if (found === null) throw missing(where);
      const { max_bytes, num_replicas } = found.config;
      const { bytes } = found.state;
      if (choice.maxBytes !== null && choice.maxBytes < bytes) {
        throw holdsMore(where, bytes, choice.maxBytes);
      }
      const { name, ...wanted } = recordStreamConfig(choice);
      await asProvisioner(async ({ streams }) =>
        streams.update(name, {
          ...wanted,
          ...(choice.maxBytes === null && max_bytes > 0 ? { max_bytes } : {}),
          ...(choice.replicas === null ? { num_replicas } : {}),
        }),
      );
    },
    read: async (options) => openRecordFeed({ connection, manager, prefix, where }, options),
    reread: async (since, take) =>
      rereadRecords({ connection, manager, prefix, where }, since, take),
  };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return async () => {
    made ??= make();
    return made;
  };
}

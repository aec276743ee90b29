import type { Clock, Log } from "../ask/ports.ts";
import { connect } from "../bus/connect.ts";
import { keepRecords, storeFileOf } from "./keep-records.ts";
import { provisionRecords } from "./provision-records.ts";
import { AUDIT_USERS, type ServerSecrets } from "./server/server-config.ts";
import { shipLeftovers } from "./ship-leftovers.ts";

/** What it touches of the world outside. */
export interface AroundIo {
  readonly log: Log;
  readonly clock: Clock;
  /** Aborting ends a start that is under way. */
  readonly stop: AbortSignal;
}

/** What runs around a managed server. */
export interface AroundParts {
  readonly url: string;
  readonly fleet: string;
  readonly data: string;
  readonly secrets: ServerSecrets;
  /** Undefined: what is there, else the usual size. */
  readonly streamBytes: number | undefined;
}

/**
 * Sets up and runs what belongs to a managed server: the audit stream, the store that keeps what comes through
 * it, and the shipping of records that dead processes left in the folder. All of it stands when the promise resolves, and goes on through the server's
 * restarts.
 */
export async function openAround(io: AroundIo, parts: AroundParts): Promise<AsyncDisposable> {
  const { url, fleet, data, secrets } = parts;
  const { log, clock, stop } = io;
  const made = await provisionRecords(
    {
      servers: url,
      fleet,
      user: AUDIT_USERS.provisioner,
      pass: secrets.provisioner,
      signal: stop,
    },
    { maxBytes: parts.streamBytes ?? null, replicas: null },
  );
  if (made === "made") log.info({ url }, "made the audit stream");
  const base = { servers: url, fleet, signal: stop };
  const keeping = await keepRecords({
    connection: { ...base, user: AUDIT_USERS.sink, pass: secrets.sink },
    store: storeFileOf(data),
    clock,
    log,
  });
  try {
    const bus = await connect({ ...base, token: secrets.token, session: "up" });
    const leftovers = shipLeftovers({ bus, data, speaker: "up", clock, log });
    return {
      [Symbol.asyncDispose]: async () => {
        leftovers[Symbol.dispose]();
        await bus[Symbol.asyncDispose]();
        await keeping[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await keeping[Symbol.asyncDispose]();
    throw error;
  }
}

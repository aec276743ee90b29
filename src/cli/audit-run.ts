import { resolve } from "node:path";
import { RECORD_STREAM } from "../bus/stream-settings.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine, untilStopped } from "./io.ts";
import { keepRecords, storeFileOf } from "./keep-records.ts";
import { type KeeperFlags, keeperOptions } from "./keeper-options.ts";
import type { KeepingLine } from "./lines.ts";
import { connectBus, findServer, type Prepared, prepare } from "./prepare.ts";
import { shipLeftovers } from "./ship-leftovers.ts";

/** Flags of `audit run`. */
export interface AuditRunFlags extends KeeperFlags {
  readonly store?: string;
}

/** Keeps records until it is stopped. */
export async function runAudit(flags: AuditRunFlags, io: Io): Promise<number> {
  const prepared = await prepare(flags, io, "info");
  const { data, log } = prepared;
  const store = flags.store ? resolve(io.cwd, flags.store) : storeFileOf(data);
  const connection = keeperOptions("sink", flags, io, prepared);
  await using keeping = await keepRecords({ connection, store, clock: io.clock, log });
  await using _leftovers = await leftoversOf(flags, io, prepared);
  const { url } = findServer(flags, io, data);
  printLine(io, { ready: true, url, store, stream: RECORD_STREAM } satisfies KeepingLine);
  await Promise.race([untilStopped(io.stop), keeping.closed]);
  await log.flush();
  if (io.stop.aborted) return EXIT.ok;
  throw new CommandError(
    `the connection to NATS is closed for good (${(await keeping.closed)?.message ?? "no reason given"}); records wait in the stream: start this program again`,
  );
}

/** Ships what dead processes left in the folder, where the fleet's token is at hand. */
async function leftoversOf(
  flags: AuditRunFlags,
  io: Io,
  prepared: Prepared,
): Promise<AsyncDisposable> {
  const { data, log } = prepared;
  const kind = findServer(flags, io, data).credential?.kind ?? "creds";
  if (kind === "creds" || kind === "issued")
    return { [Symbol.asyncDispose]: async () => Promise.resolve() };
  const bus = await connectBus(flags, io, { ...prepared, session: "audit" });
  const leftovers = shipLeftovers({ bus, data, speaker: "audit", clock: io.clock, log });
  return {
    [Symbol.asyncDispose]: async () => {
      leftovers[Symbol.dispose]();
      await bus[Symbol.asyncDispose]();
    },
  };
}

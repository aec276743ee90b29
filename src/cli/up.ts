import { join, resolve } from "node:path";
import type { Clock, Log } from "../ask/ports.ts";
import { subjectPrefix } from "../bus/tokens.ts";
import { CommandError } from "./failure.ts";
import { printLine } from "./io.ts";
import { defaultDataFolder, joinFileOf, readJoin, writeJoin } from "./join.ts";
import { storeFileOf } from "./keep-records.ts";
import type { UpLine } from "./lines.ts";
import {
  makeServerFolders,
  SECRET_FILES,
  type ServerFolders,
  secretsOf,
} from "./server/data-folder.ts";
import { takeDataLock } from "./server/data-lock.ts";
import { findNatsServer } from "./server/find-nats-server.ts";
import {
  type ManagedOptions,
  type ManagedServer,
  startManagedServer,
} from "./server/managed-server.ts";
import type { NatsProgram } from "./server/nats-program.ts";
import { freePort } from "./server/ports.ts";
import { runCommandUntil } from "./server/run-command.ts";
import { canSyncEachSecond } from "./server/server-config.ts";
import { ServerError } from "./server/server-error.ts";
import { openAround } from "./up-around.ts";

/** Flags of `up`. */
export interface UpFlags {
  readonly data?: string;
  /** 1 to 65535; absent: the folder's port of last time, else a free one. */
  readonly port?: number;
  readonly fleet?: string;
  /** Size of the audit stream; absent: that of the one that is there, else the usual one. */
  readonly streamBytes?: number;
}

/** What `up` touches of the world outside. */
export interface UpIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly home: string;
  readonly write: (text: string) => void;
  /** Aborted when it shall end. */
  readonly stop: AbortSignal;
  readonly log: Log;
  readonly clock: Clock;
}

const FREE_PORT_ATTEMPTS = 3;
const DEATHS_TO_GIVE_UP = 5;
const DEATHS_WITHIN_MS = 60_000;

/**
 * Runs a server of this machine's own until it is told to stop; resolves to the exit code. One line on
 * standard output says when it is ready: `{"ready":true,"url","fleet","join","data","server"}`. A server that
 * ends by itself is started again on the same port, at most 5 times a minute.
 *
 * @throws {@link ServerError} or {@link CommandError} when it cannot run.
 */
export async function runUp(flags: UpFlags, io: UpIo): Promise<number> {
  const named = flags.data ?? io.env["ASKFABRIC_DATA"];
  const data = named ? resolve(io.cwd, named) : defaultDataFolder(io.env, io.home);
  const folders = makeServerFolders(data);
  const lock = takeDataLock(folders);
  try {
    const program = await findProgram(io);
    await keepUp(flags, io, { program, folders });
    return 0;
  } catch (error) {
    if (io.stop.aborted) return 0;
    throw error;
  } finally {
    lock.release();
  }
}

interface Place {
  readonly program: NatsProgram;
  readonly folders: ServerFolders;
}

async function findProgram(io: UpIo): Promise<NatsProgram> {
  const named = io.env["ASKFABRIC_NATS_SERVER"] ?? "";
  const program = await findNatsServer({
    named: named === "" ? null : named,
    path: io.env["PATH"] ?? "",
    cache: join(io.env["XDG_CACHE_HOME"] || join(io.home, ".cache"), "askfabric"),
    isRoot: process.getuid?.() === 0,
    run: runCommandUntil(io.stop),
    note: (text) => {
      io.log.info({}, text);
    },
  });
  io.stop.throwIfAborted();
  if (!canSyncEachSecond(program.version)) {
    io.log.warn(
      { server: program.version.text },
      "this nats-server cannot write its streams through every second; 2.10 and newer can",
    );
  }
  return program;
}

async function keepUp(flags: UpFlags, io: UpIo, place: Place): Promise<void> {
  const { data } = place.folders;
  const joinFile = joinFileOf(data);
  const before = readJoin(joinFile);
  const fleet = fleetOf(flags.fleet || io.env["ASKFABRIC_FLEET"] || before?.fleet || "default");
  const secrets = secretsOf(data);
  const wished = flags.port ?? portOf(before?.url);
  const on = { secrets, prefix: subjectPrefix(fleet) };
  await using held = heldServer(await start(io, place, { ...on, wished }));
  writeJoin(joinFile, { url: held.server.url, token: secrets.token, fleet });
  io.log.info(
    { file: join(data, SECRET_FILES.token) },
    "whoever can read this file can read every ask and forge any decision",
  );
  const serving = { url: held.server.url, fleet, join: joinFile, data };
  const around = await openAround(io, { ...serving, secrets, streamBytes: flags.streamBytes });
  try {
    const version = place.program.version.text;
    const store = storeFileOf(data);
    printLine(io, { ready: true, ...serving, server: version, store } satisfies UpLine);
    const deaths: number[] = [];
    while (await endedByItself(held.server, io)) {
      deaths.push(io.clock.monotonic());
      if (deathsOfLate(deaths, io) >= DEATHS_TO_GIVE_UP) throw givenUp(place);
      held.server = await start(io, place, { ...on, wished: held.server.port });
      io.log.info({ url: held.server.url }, "nats-server runs again");
    }
  } finally {
    await around[Symbol.asyncDispose]();
  }
}

/** The server that runs now, which ends with whoever holds it. */
function heldServer(server: ManagedServer): AsyncDisposable & { server: ManagedServer } {
  return {
    server,
    [Symbol.asyncDispose]: async function () {
      await this.server.stop();
    },
  };
}

/** Waits for the end of the server or of this program; false for the latter. */
async function endedByItself(server: ManagedServer, io: UpIo): Promise<boolean> {
  const stopped = Promise.withResolvers<null>();
  const stop = (): void => {
    stopped.resolve(null);
  };
  io.stop.addEventListener("abort", stop);
  if (io.stop.aborted) stop();
  const end = await Promise.race([server.ended, stopped.promise]);
  io.stop.removeEventListener("abort", stop);
  if (io.stop.aborted) return false;
  io.log.error({ code: end?.code, signal: end?.signal }, "nats-server ended by itself");
  return true;
}

async function start(
  io: UpIo,
  { program, folders }: Place,
  given: Pick<ManagedOptions, "secrets" | "prefix"> & { readonly wished: number | undefined },
): Promise<ManagedServer> {
  const { secrets, prefix, wished } = given;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startManagedServer({
        program,
        folder: folders.server,
        port: wished ?? (await freePort()),
        secrets,
        prefix,
        run: runCommandUntil(io.stop),
        env: program.kind === "container" ? io.env : {},
        note: (text) => {
          io.log.warn({}, text);
        },
        signal: io.stop,
      });
    } catch (error) {
      const raced = error instanceof ServerError && error.code === "server_port_taken";
      if (!raced || wished !== undefined || attempt === FREE_PORT_ATTEMPTS) throw error;
    }
  }
}

function fleetOf(name: string): string {
  if (name.isWellFormed()) return name;
  throw new CommandError(
    `the fleet's name ${JSON.stringify(name)} is no text; give another with --fleet`,
  );
}

function portOf(url: string | undefined): number | undefined {
  const port = /:(\d+)$/.exec(url ?? "")?.[1];
  return port === undefined ? undefined : Number(port);
}

function deathsOfLate(deaths: readonly number[], io: UpIo): number {
  return deaths.filter((at) => at > io.clock.monotonic() - DEATHS_WITHIN_MS).length;
}

function givenUp({ program, folders }: Place): ServerError {
  return new ServerError(
    "server_start_failed",
    `${program.command} ended ${String(DEATHS_TO_GIVE_UP)} times within a minute: see ${join(folders.server, "nats.log")}`,
  );
}

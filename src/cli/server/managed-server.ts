import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { BusError } from "../../bus/bus-error.ts";
import { connect } from "../../bus/connect.ts";
import { writePrivateFile } from "../private-write.ts";
import { endLeftovers } from "./leftovers.ts";
import { lastLine, type NatsProgram } from "./nats-program.ts";
import { isPortFree } from "./ports.ts";
import type { RunCommand } from "./run-command.ts";
import { type ServerSecrets, writeServerConfig } from "./server-config.ts";
import { ServerError } from "./server-error.ts";
import {
  containerName,
  launchServer,
  type ServerEnd,
  type ServerProcess,
} from "./server-process.ts";

/** What a managed server is started with. */
export interface ManagedOptions {
  readonly program: NatsProgram;
  /** Folder that is the server's alone, by its real path; its lock is held by the caller. */
  readonly folder: string;
  readonly port: number;
  readonly secrets: ServerSecrets;
  /** Prefix of the fleet that speaks here. */
  readonly prefix: string;
  readonly run: RunCommand;
  /** Environment of the server's process. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly note: (text: string) => void;
  /** Aborting ends a start that is under way; it rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

/** A server that runs for as long as somebody holds it. */
export interface ManagedServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number | null;
  /** Resolves when its process is gone, told to or not. */
  readonly ended: Promise<ServerEnd>;
  stop(): Promise<void>;
}

const START_LIMIT_MS = 15_000;
const STOP_GRACE_MS = 5_000;

/**
 * Starts a server on the loopback and waits until it takes a connection. Whatever an earlier process left
 * running on the folder is ended first.
 *
 * @throws {@link ServerError} `server_port_taken`, `server_data_in_use` or `server_start_failed`.
 */
export async function startManagedServer(options: ManagedOptions): Promise<ManagedServer> {
  const { program, folder, port, prefix, secrets } = options;
  const configFile = join(folder, "nats.conf");
  await clearFolder(options, configFile);
  if (!(await isPortFree(port))) throw portTaken(port);
  const name = `askfabric-${randomBytes(6).toString("hex")}`;
  const config = writeServerConfig({
    version: program.version,
    host: program.kind === "container" ? "0.0.0.0" : "127.0.0.1",
    port,
    name,
    secrets,
    prefix,
    logFile: join(folder, "nats.log"),
    storeFolder: join(folder, "streams"),
  });
  writePrivateFile(configFile, config);
  options.signal.throwIfAborted();
  const outputFile = join(folder, "start.log");
  const child = launchServer({ ...options, configFile, outputFile });
  const stop = async (): Promise<void> => {
    await child.stop(STOP_GRACE_MS);
    await removeContainer(options);
  };
  try {
    await untilReady(options, child, name);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url: urlOf(port), port, pid: child.pid, ended: child.ended, stop };
}

function urlOf(port: number): string {
  return `nats://127.0.0.1:${String(port)}`;
}

async function clearFolder(options: ManagedOptions, configFile: string): Promise<void> {
  await removeContainer(options);
  const ended = await endLeftovers(configFile, options.run);
  if (ended.length > 0) {
    options.note(`ended nats-server (process ${ended.join(", ")}) that an earlier run left behind`);
  }
}

async function removeContainer({ program, folder, run }: ManagedOptions): Promise<void> {
  if (program.kind === "container") await run(program.command, ["rm", "-f", containerName(folder)]);
}

async function untilReady(
  options: ManagedOptions,
  child: ServerProcess,
  name: string,
): Promise<void> {
  const given = new AbortController();
  const signal = AbortSignal.any([options.signal, given.signal]);
  const died = child.ended.then(async () => {
    throw await startFailed(options);
  });
  try {
    await Promise.race([answersAs(options, name, signal), died]);
  } finally {
    given.abort();
    died.catch(() => null);
  }
}

async function answersAs(
  { port, secrets }: ManagedOptions,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    await using bus = await connect({
      servers: urlOf(port),
      token: secrets.token,
      name: "askfabric up",
      startTimeoutMs: START_LIMIT_MS,
      signal,
    });
    if (bus.port.serverName === name) return;
  } catch (error) {
    if (!(error instanceof BusError) || error.code !== "bus_auth_refused") throw error;
  }
  // Somebody else took the port between the look and the start.
  throw portTaken(port);
}

function portTaken(port: number): ServerError {
  return new ServerError(
    "server_port_taken",
    `port ${String(port)} of 127.0.0.1 is taken by another program: end that one, or choose another port with --port`,
  );
}

async function startFailed(options: ManagedOptions): Promise<ServerError> {
  const { folder, program, secrets, port } = options;
  // Its last words may come a moment after its end.
  await pause(50);
  const words = await Promise.all(
    ["start.log", "nats.log"].map(async (file) =>
      readFile(join(folder, file), "utf8").catch(() => ""),
    ),
  );
  if (/address already in use/.test(words.map(lastLine).join(" "))) return portTaken(port);
  const last = lastLine(words[0] ?? "") || lastLine(words[1] ?? "");
  const said = Object.values<string>({ ...secrets }).reduce(
    (text, secret) => text.replaceAll(secret, "[secret]"),
    last,
  );
  return new ServerError(
    "server_start_failed",
    `${program.command} (${program.version.text}) ended while it started: ${said || "it said nothing"}; see ${join(folder, "nats.log")}`,
  );
}

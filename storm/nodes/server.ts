import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { connect as dial } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { freePort } from "../../src/cli/server/ports.ts";
import { canSyncEachSecond } from "../../src/cli/server/server-config.ts";
import { guard } from "../../test/support/nats-launcher.ts";
import { lay } from "../../test/support/unit-file.ts";
import { until } from "../../test/support/until.ts";

/** What every part of a fleet shows its server, as files that this user alone can read. */
export interface Secrets {
  readonly token: string;
  readonly sink: string;
  readonly provisioner: string;
}

/** A nats-server with the configuration of `deploy`. */
export interface StormServer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Null while it does not run. */
  pid(): number | null;
  log(): string;
  /** Runs it, on the same port and data, and waits until it greets. */
  start(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
  signal(which: NodeJS.Signals): void;
  /** Waits for it to end by itself, and ends it when that takes too long. */
  ended(deadlineMs: number): Promise<void>;
}

/** Where a server runs and what it is told. */
export interface ServerPlace {
  readonly program: NatsProgram;
  readonly folder: string;
  readonly name: string;
  /** The files of `deploy/nats` it is laid out with; the first is the one it reads. */
  readonly files: readonly string[];
  /** What stands otherwise than in the files, such as addresses. */
  readonly edit: (text: string, port: number) => string;
  /** Command that starts it elsewhere, such as in a network namespace. */
  readonly within?: readonly string[];
  readonly address?: string;
  /** A port that must be known beforehand. */
  readonly port?: number;
}

const MAKE_SECRETS = fileURLToPath(new URL("../../deploy/make-secrets.sh", import.meta.url));
const START_MS = 20_000;

/** Makes the secrets of a fleet. */
export function makeSecrets(folder: string): Secrets {
  execFileSync("sh", [MAKE_SECRETS, folder]);
  return {
    token: join(folder, "token"),
    sink: join(folder, "sink.secret"),
    provisioner: join(folder, "provisioner.secret"),
  };
}

/** Lays a server out; `folder` holds `secrets.conf` already. It does not run yet. */
export async function layServer(place: ServerPlace): Promise<StormServer> {
  const { program, folder, name, address = "127.0.0.1", within = [] } = place;
  const port = place.port ?? (await freePort());
  for (const file of place.files) {
    lay(folder, `deploy/nats/${file}`, file);
    const path = join(folder, file);
    writeFileSync(path, place.edit(readFileSync(path, "utf8"), port));
  }
  const streams = canSyncEachSecond(program.version) ? "jetstream.conf" : "jetstream-2.9.conf";
  lay(folder, `deploy/nats/${streams}`, "jetstream.conf");
  const log = join(folder, "nats.log");
  writeFileSync(log, "");
  let running: ChildProcess | null = null;
  const [first = ""] = place.files;
  const command = [
    ...within,
    program.command,
    "--config",
    join(folder, first),
    "--store_dir",
    join(folder, "store"),
  ];
  const end = async (deadlineMs: number): Promise<void> => {
    const ending = running;
    running = null;
    if (ending === null || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = new Promise((resolve) => ending.once("exit", resolve));
    if (deadlineMs === 0) ending.kill("SIGKILL");
    const late = setTimeout(() => ending.kill("SIGKILL"), deadlineMs);
    await gone;
    clearTimeout(late);
  };
  return {
    name,
    host: address,
    port,
    pid: () => running?.pid ?? null,
    log: () => readFileSync(log, "utf8"),
    start: async () => {
      const out = openSync(log, "a");
      const [program = "", ...args] = command;
      const child = spawn(program, args, { stdio: ["ignore", out, out] });
      closeSync(out);
      running = child;
      child.once("exit", guard(child));
      await until(
        `the greeting of ${name}`,
        async () => {
          if (child.exitCode !== null) {
            throw new Error(`${name} did not start:\n${readFileSync(log, "utf8")}`);
          }
          return (await greeting(port, address)).startsWith("INFO ");
        },
        START_MS,
      );
    },
    kill: async () => end(0),
    signal: (which) => {
      running?.kill(which);
    },
    ended: end,
  };
}

async function greeting(port: number, host: string): Promise<string> {
  const said = Promise.withResolvers<string>();
  const socket = dial(port, host);
  socket.setTimeout(1_000, () => socket.destroy());
  socket.once("data", (data) => {
    said.resolve(data.toString("latin1"));
    socket.destroy();
  });
  socket.on("error", () => said.resolve(""));
  socket.once("close", () => said.resolve(""));
  return said.promise;
}

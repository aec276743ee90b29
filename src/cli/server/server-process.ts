import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import type { NatsProgram } from "./nats-program.ts";

/** How a server's process ended. */
export interface ServerEnd {
  readonly code: number | null;
  readonly signal: string | null;
  /** True when it was told to end. */
  readonly expected: boolean;
}

/** A server's running process. */
export interface ServerProcess {
  /** Null when it could not be started. */
  readonly pid: number | null;
  readonly ended: Promise<ServerEnd>;
  /** Asks it to end, ends it by force after `graceMs`, and waits until it is gone. */
  stop(graceMs: number): Promise<void>;
}

/** What a server is started with. */
export interface LaunchOptions {
  readonly program: NatsProgram;
  readonly configFile: string;
  readonly folder: string;
  readonly port: number;
  /** Takes what the server prints before it opens its log. */
  readonly outputFile: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Name of the container that serves a data folder; one folder never has two. */
export function containerName(folder: string): string {
  return `askfabric-${createHash("sha256").update(folder).digest("hex").slice(0, 16)}`;
}

/** Starts a server in a process group of its own, so that a terminal's interrupt reaches it through us alone. */
export function launchServer(options: LaunchOptions): ServerProcess {
  const output = openSync(options.outputFile, "w", 0o600);
  const child = spawn(options.program.command, argumentsOf(options), {
    stdio: ["ignore", output, output],
    detached: true,
    env: options.env,
  });
  closeSync(output);
  const end = Promise.withResolvers<ServerEnd>();
  const dieToo = (): void => {
    child.kill("SIGKILL");
  };
  process.once("exit", dieToo);
  let stopping = false;
  child.once("error", () => {
    process.removeListener("exit", dieToo);
    end.resolve({ code: null, signal: null, expected: stopping });
  });
  child.once("exit", (code, signal) => {
    process.removeListener("exit", dieToo);
    end.resolve({ code, signal, expected: stopping });
  });
  return {
    pid: child.pid ?? null,
    ended: end.promise,
    stop: async (graceMs) => {
      stopping = true;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await end.promise;
      clearTimeout(timer);
    },
  };
}

function argumentsOf({ program, configFile, folder, port }: LaunchOptions): readonly string[] {
  if (program.image === null) return ["-c", configFile];
  const user = `${String(process.getuid?.() ?? 0)}:${String(process.getgid?.() ?? 0)}`;
  const place = `127.0.0.1:${String(port)}:${String(port)}`;
  return [
    "run",
    "--rm",
    `--name=${containerName(folder)}`,
    `--user=${user}`,
    `--publish=${place}`,
    `--volume=${folder}:${folder}`,
    program.image,
    "-c",
    configFile,
  ];
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MODES, type Mode } from "../../src/access/roles.ts";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { freePort } from "../../src/cli/server/ports.ts";
import { isAtLeast } from "../../src/cli/server/server-version.ts";
import { isReady, type Line, type RunningProgram, runProgram } from "./askfabric.ts";
import { until } from "./until.ts";

/** What a `creds` command left behind. */
export interface CredsRun {
  readonly code: number | string;
  readonly lines: readonly Line[];
  readonly error: string;
}

/** A fleet set up with `creds init`, and its server. */
export interface IssuedFleet extends AsyncDisposable {
  readonly folder: string;
  readonly issuer: string;
  readonly url: string;
  creds(...args: readonly string[]): Promise<CredsRun>;
  /** Issues a credential and gives its join file. */
  add(name: string, ...args: readonly string[]): Promise<string>;
  /** The join file of a name that was issued one. */
  joinOf(name: string): string;
  serverLog(): string;
  /** Programs that the server asks; none where it asks nobody. */
  readonly services: readonly RunningProgram[];
}

function serveAuth(issuer: string, renew: string): RunningProgram {
  return runProgram(["creds", "serve", "--issuer", issuer, "--renew", renew]);
}

/** Set-ups that a server knows. */
export function modesOf({ version }: NatsProgram): readonly Mode[] {
  return isAtLeast(version, "2.10.0") ? MODES : MODES.filter((mode) => mode !== "callout");
}

/** How a fleet is set up beside its mode. */
export interface IssuedOptions {
  readonly beforeStart?: (issuer: string) => void;
  readonly renew?: string;
  /** Further flags of `creds init`. */
  readonly init?: readonly string[];
  readonly scheme?: "nats" | "tls";
}

/**
 * Sets a fleet up as its operator does: by the commands alone. `beforeStart` is given the issuer's folder before its
 * server is started; `renew` says how soon a connection has to ask again, where the server asks.
 */
export async function openIssuedFleet(
  program: NatsProgram,
  mode: Mode,
  { beforeStart, renew = "5m", init = [], scheme = "nats" }: IssuedOptions = {},
): Promise<IssuedFleet> {
  const folder = mkdtempSync(join(tmpdir(), "fleet-"));
  const issuer = join(folder, "issuer");
  const url = `${scheme}://127.0.0.1:${String(await freePort())}`;
  const creds = async (...args: readonly string[]): Promise<CredsRun> => {
    await using run = runProgram(["creds", ...args, "--issuer", issuer, "--json"]);
    const code = await run.ended();
    return { code, lines: run.lines, error: run.stderr() };
  };
  const joinOf = (name: string): string => join(issuer, "issued", `${name}.join.json`);
  const made = await creds("init", "--mode", mode, "--url", url, ...init);
  if (made.code !== 0) throw new Error(made.error);
  beforeStart?.(issuer);
  const log = join(folder, "server.log");
  const server = spawn(program.command, ["-c", join(issuer, "server.conf"), "-l", log], {
    stdio: "ignore",
  });
  const ended = once(server, "exit");
  const serverLog = (): string => readFileSync(log, { encoding: "utf8", flag: "a+" });
  await until("the server", () => serverLog().includes("Server is ready"));
  // Two, as it should be run.
  const services = mode === "callout" ? [serveAuth(issuer, renew), serveAuth(issuer, renew)] : [];
  for (const service of services) {
    await service.line("ready", isReady);
  }
  return {
    folder,
    services,
    issuer,
    url,
    creds,
    joinOf,
    serverLog,
    add: async (name, ...args) => {
      const added = await creds("add", name, ...args);
      if (added.code !== 0) throw new Error(added.error);
      return joinOf(name);
    },
    [Symbol.asyncDispose]: async () => {
      for (const service of services) await service[Symbol.asyncDispose]();
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

import { existsSync } from "node:fs";
import type { Bus } from "../bus/bus.ts";
import type { ConnectOptions } from "../bus/connect-options.ts";
import { explainConfig } from "../config/explain-config.ts";
import { type LoadedConfig, type LoadRequest, loadConfig } from "../config/load-config.ts";
import { type Connection, findConnection, type Speaker } from "./connection.ts";
import { CommandError } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import type { Io } from "./io.ts";
import { joinFileOf, readJoin } from "./join.ts";
import { type LogLevel, openLog, type ProgramLog, readLogLevel } from "./log.ts";
import { dataFolder, loadRequest } from "./places.ts";
import { prettyEntry } from "./pretty-entry.ts";
import { readPrivateFile } from "./private-file.ts";
import { refuseUnavailable } from "./unavailable-options.ts";

/** What every command that speaks needs before it speaks. */
export interface Prepared {
  /** The data folder. */
  readonly data: string;
  readonly request: LoadRequest;
  readonly config: LoadedConfig;
  readonly log: ProgramLog;
}

/** What a command needs to speak as a session. */
export interface Speaking extends Prepared {
  readonly session: string;
  /** True where the program chose that name by itself: the one a credential was issued to goes before it. */
  readonly isStandIn?: boolean;
}

/**
 * Reads places, configuration and log level.
 *
 * @throws {@link CommandError} when a variable or the user's file is rejected, naming every fault. A project's
 * file that is rejected is no reason to stop: it turns every allow into an ask.
 */
export async function prepare(flags: CommonFlags, io: Io, usual: LogLevel): Promise<Prepared> {
  const log = openProgramLog(flags, io, usual);
  const request = loadRequest(flags, io);
  const config = await loadConfig(request);
  const fatal = config.issues.filter((issue) => issue.rejects && issue.source !== "project");
  if (fatal.length > 0) {
    const told = explainConfig({ ...config, issues: fatal }).slice(-fatal.length);
    throw rejected(told.map(({ text }) => text));
  }
  refuseUnavailable(config.options);
  tellProblems(config, log);
  return { data: dataFolder(flags, io), request, config, log };
}

/** One problem stands on the line; several stand below it, each on its own. */
export function rejected(problems: readonly string[]): CommandError {
  const [only = "", ...more] = problems;
  if (more.length === 0) return new CommandError(only);
  const text = `the configuration has ${String(problems.length)} problems; correct them, "askfabric config check" says what is in force`;
  return new CommandError(text, { points: problems });
}

/** Opens the log of a command at the level that a flag or the environment names. */
export function openProgramLog(
  flags: Pick<CommonFlags, "logLevel">,
  io: Io,
  usual: LogLevel,
): ProgramLog {
  return openLog({
    level: readLogLevel(flags.logLevel || io.env["ASKFABRIC_LOG_LEVEL"], usual),
    write: io.complain,
    ...(io.stderrIsTerminal ? { pretty: prettyEntry } : {}),
  });
}

/** Says on the log what is wrong with the configuration, or was left out of it. */
export function tellProblems(config: LoadedConfig, log: ProgramLog): void {
  for (const { about, status, text, todo } of explainConfig(config)) {
    if (status === "ok") continue;
    log[status === "fail" ? "error" : "warn"]({ about }, `${text}: ${todo ?? ""}`);
  }
}

/** Finds the server and the credential for it. */
export function findServer(flags: CommonFlags, io: Io, data: string): Connection {
  return findConnection({ flags, env: io.env, defaultJoin: joinFileOf(data), readJoin });
}

/** Whom the credential was issued to that would be shown; null where it does not say, or there is none. */
export function issuedTo(flags: CommonFlags, io: Io): Speaker | null {
  try {
    return findServer(flags, io, dataFolder(flags, io)).speaker;
  } catch {
    // What is wrong with it is told when the server is looked for.
    return null;
  }
}

/**
 * The bus options of a found server; secrets are read from their files on every connect.
 *
 * @throws {@link CommandError} when the credential was issued to another session.
 */
export function busOptions(
  { url, named, credential, fleet, speaker, tls }: Connection,
  { config, session: wanted, isStandIn }: Pick<Speaking, "config" | "session" | "isStandIn">,
): ConnectOptions {
  if (speaker !== null && isStandIn !== true && speaker.name !== wanted) {
    throw new CommandError(
      `${named} was issued to the ${speaker.role} ${JSON.stringify(speaker.name)} and cannot speak as ${JSON.stringify(wanted)}; leave --session out, or have a join file issued with "askfabric creds add"`,
    );
  }
  const session = speaker?.name ?? wanted;
  const { signDecisions, requireSigners } = config.options;
  const { subjectPrefix, fleet: configured } = config.options;
  const servers = { servers: url.split(","), serversNamed: named };
  const signatures = { signDecisions, requireSigners };
  const base = { ...servers, session, ...secretOf(credential), ...signatures, ...tlsOptions(tls) };
  if (fleet?.explicit === true) return { ...base, fleet: fleet.name };
  if (subjectPrefix !== null) return { ...base, subjectPrefix };
  const isSaid = config.origins.fleet !== "default";
  return { ...base, fleet: isSaid ? configured : (fleet?.name ?? configured) };
}

/**
 * What a connection encrypts with, as the bus takes it.
 *
 * @throws {@link CommandError} when a file is not there, or the key is open to others.
 */
export function tlsOptions(tls: Connection["tls"]): Pick<ConnectOptions, "tls"> {
  if (tls === null) return {};
  const { caFile, certFile, keyFile } = tls;
  // The library would tell of a missing file only as a connection that cannot be made.
  for (const [flag, file] of [
    ["--tls-ca", caFile],
    ["--tls-cert", certFile],
  ]) {
    if (file === undefined || existsSync(file)) continue;
    throw new CommandError(`${flag ?? ""} names ${file}, which is not there`);
  }
  if (keyFile !== undefined) readPrivateFile(keyFile, "the key of --tls-key,");
  return { tls };
}

function secretOf(credential: Connection["credential"]): Pick<ConnectOptions, "token" | "creds"> {
  if (credential === null) return {};
  if (credential.kind === "token") return { token: credential.token };
  if (credential.kind === "issued") return { creds: credential.read };
  const { path, kind, named } = credential;
  const read = (): string => readPrivateFile(path, `the file of ${named},`);
  // A file that is of no use is told at once and by name, not as a refused connection later.
  read();
  return kind === "creds" ? { creds: read } : { token: read };
}

/** Connects to the server that flags, environment and files name. */
export async function connectBus(flags: CommonFlags, io: Io, speaking: Speaking): Promise<Bus> {
  const options = busOptions(findServer(flags, io, speaking.data), speaking);
  const { connect } = await import("../bus/connect.ts");
  return connect({ ...options, signal: io.stop });
}

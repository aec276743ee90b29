import { randomBytes } from "node:crypto";
import type { Authenticator, TlsOptions as LibraryTls } from "@nats-io/nats-core";
import { createSubjects, fleetPrefix, isSubjectPrefix } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Signatures } from "./bus.ts";
import { BusError } from "./bus-error.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { readSignatures } from "./read-signatures.ts";
import { readServers } from "./servers.ts";

/** Files and switches of TLS. Giving any, or a `tls://` server, demands TLS of the server. */
export interface BusTls {
  /** Certificates of the authorities that are trusted, PEM, in place of `caFile`. */
  readonly ca?: string;
  readonly caFile?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
  /** Speaks TLS before the server's greeting; the server must be set up for it. */
  readonly handshakeFirst?: boolean;
}

/** How to reach NATS and as whom. Secrets given as functions are read anew on every connect. */
export interface ConnectOptions extends Credentials {
  /** `nats://host:port`, `tls://host:port` or `host:port`, one or several; never with credentials in it. */
  readonly servers: string | readonly string[];
  /**
   * What named the servers, for errors.
   *
   * @internal
   */
  readonly serversNamed?: string;
  readonly tls?: BusTls;
  /** Name of the fleet; excludes `subjectPrefix`. @defaultValue "default" */
  readonly fleet?: string;
  /** 1 to 4 encoded tokens in place of `af.v1.<fleet>`. */
  readonly subjectPrefix?: string;
  /** The session that speaks here: names its inbox, and the connection on the server's pages. */
  readonly session?: string;
  /** The connection's name on the server's pages. @defaultValue `askfabric`, with the session when given */
  readonly name?: string;
  /** How long a start may take, in milliseconds, 1 to 600,000. @defaultValue 10000 */
  readonly startTimeoutMs?: number;
  /** How long one server may take to answer a dial, in milliseconds, 100 to 60,000. @defaultValue 3000 */
  readonly dialTimeoutMs?: number;
  /**
   * Milliseconds between pings, 100 to 60,000; a link that is silent for three of them is given up.
   *
   * @defaultValue 5000
   */
  readonly pingIntervalMs?: number;
  /** Stays with the servers given: behind proxies and in containers the ones a cluster names are out of reach. */
  readonly ignoreClusterUpdates?: boolean;
  /** Signs what this end says to children, with the key of its `creds`. @defaultValue false */
  readonly signDecisions?: boolean;
  /** Public keys of users, one of which must have signed what a parent says to this end; none: proofs alone. */
  readonly requireSigners?: readonly string[];
  /** Ends a start that is under way. */
  readonly signal?: AbortSignal;
}

/** Checked options with every default in place. */
export interface ConnectSettings {
  /** `host:port`. */
  readonly servers: readonly string[];
  /** The servers as an error may show them. */
  readonly shownServers: string;
  readonly authenticator: Authenticator;
  /** What kind of credentials the connection shows; null for none. */
  readonly credentials: string | null;
  readonly tls: LibraryTls | null;
  readonly prefix: string;
  readonly inboxPrefix: string;
  readonly name: string;
  readonly startTimeoutMs: number;
  readonly dialTimeoutMs: number;
  readonly pingIntervalMs: number;
  readonly ignoreClusterUpdates: boolean;
  readonly signatures: Signatures;
}

/**
 * Checks options and fills in defaults.
 *
 * @throws {@link BusError} `bus_bad_option` naming every fault, never a secret.
 */
export function readConnectOptions(options: ConnectOptions): ConnectSettings {
  const faults: string[] = [];
  const servers = readServers(options.servers, faults, options.serversNamed);
  const credentials = readCredentials(options, faults);
  const signing = readSignatures(options, faults);
  const prefix = readPrefix(options, faults);
  const session = readName("session", options.session, faults);
  const number = (key: NumberKey): number => readNumber(key, options[key], faults);
  const settings = {
    servers: servers.addresses,
    shownServers: servers.shown,
    authenticator: (nonce?: string) => {
      signing.refresh();
      return credentials.authenticator(nonce);
    },
    credentials: credentials.kind,
    tls: options.tls || servers.demandTls ? { ...options.tls } : null,
    prefix,
    inboxPrefix: createSubjects(prefix).inbox(session ?? randomBytes(12).toString("hex")),
    name: options.name ?? (session === null ? "askfabric" : `askfabric ${session}`),
    startTimeoutMs: number("startTimeoutMs"),
    dialTimeoutMs: number("dialTimeoutMs"),
    pingIntervalMs: number("pingIntervalMs"),
    ignoreClusterUpdates: options.ignoreClusterUpdates ?? false,
    signatures: signing.signatures,
  };
  if (faults.length > 0) throw new BusError("bus_bad_option", faults.join(" "));
  return Object.freeze(settings);
}

const NUMBERS = {
  startTimeoutMs: { least: 1, most: 600_000, usual: 10_000 },
  dialTimeoutMs: { least: 100, most: 60_000, usual: 3_000 },
  pingIntervalMs: { least: 100, most: 60_000, usual: 5_000 },
} as const;

type NumberKey = keyof typeof NUMBERS;

function readNumber(key: NumberKey, given: number | undefined, faults: string[]): number {
  const { least, most, usual } = NUMBERS[key];
  const value = given ?? usual;
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  faults.push(
    `${key} is ${String(value)}; it must be a whole number from ${String(least)} to ${String(most)}.`,
  );
  return usual;
}

function readPrefix(options: ConnectOptions, faults: string[]): string {
  const { fleet, subjectPrefix } = options;
  const fallback = fleetPrefix("default");
  if (fleet !== undefined && subjectPrefix !== undefined) {
    faults.push("fleet and subjectPrefix exclude each other; give one of them.");
    return fallback;
  }
  if (subjectPrefix === undefined) {
    const token = readName("fleet", fleet ?? "default", faults);
    return token === null ? fallback : fleetPrefix(fleet ?? "default");
  }
  if (isSubjectPrefix(subjectPrefix)) return subjectPrefix;
  faults.push(
    `subjectPrefix is ${JSON.stringify(subjectPrefix)}; it must be 1 to 4 tokens of A-Z a-z 0-9 _ - joined by dots, such as "af.v1.default".`,
  );
  return fallback;
}

function readName(key: string, given: string | undefined, faults: string[]): string | null {
  if (given === undefined) return null;
  if (given.length > 0 && given.isWellFormed()) return encodeToken(given);
  faults.push(`${key} is ${JSON.stringify(given)}; it must be text of at least one character.`);
  return null;
}

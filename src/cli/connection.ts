import { CommandError } from "./failure.ts";

/** Flags that say how to reach the server. */
export interface ConnectionFlags {
  readonly url?: string;
  readonly tokenFile?: string;
  readonly creds?: string;
  readonly join?: string;
  readonly fleet?: string;
  readonly tlsCa?: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** Content of the file by which a program joins a fleet: what `askfabric up` leaves behind, or what was issued to it. */
export type Join = JoinPlace & (JoinByToken | JoinAsSpeaker);

interface JoinPlace {
  readonly url: string;
  readonly fleet: string;
  /** Certificates of the authorities behind the server's own, PEM; absent: those of the system. */
  readonly ca?: string;
}

/** Whoever has the token may speak as anybody. */
interface JoinByToken {
  readonly token: string;
}

/** A credential of one speaker. */
interface JoinAsSpeaker extends Speaker {
  /** A seed, or a JWT and a seed. */
  readonly creds: string;
}

/** As whom a credential speaks. */
export interface Speaker {
  readonly name: string;
  /** What it was issued for, such as `session`. */
  readonly role: string;
}

/** Where to look, and how to read what is found there. */
export interface ConnectionSources {
  readonly flags: ConnectionFlags;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The join file of the data folder. */
  readonly defaultJoin: string;
  /** Reads a join file; null when it is not there. */
  readonly readJoin: (path: string) => Join | null;
}

/** A secret by the file that holds it, or by itself when it came from a join file. */
export type CredentialSource =
  | { readonly kind: "token-file" | "creds"; readonly path: string; readonly named: string }
  | { readonly kind: "token"; readonly token: string }
  | { readonly kind: "issued"; readonly path: string; readonly read: () => string };

/** How to reach the server, and where that was found. */
export interface Connection {
  readonly url: string;
  /** What named the server, for messages. */
  readonly named: string;
  readonly credential: CredentialSource | null;
  /** Files and texts of TLS; null where the server's URL alone says whether it is spoken. */
  readonly tls: ConnectionTls | null;
  /** Whom the credential was issued to; null for one that does not say. */
  readonly speaker: Speaker | null;
  /** Fleet that a flag, the environment or a join file names; null when none does. */
  readonly fleet: { readonly name: string; readonly explicit: boolean } | null;
}

/** What a connection trusts and shows. */
export interface ConnectionTls {
  readonly caFile?: string;
  readonly ca?: string;
  readonly certFile?: string;
  readonly keyFile?: string;
}

interface FoundServer {
  readonly url: string;
  readonly named: string;
  /** Place in the order of sources, 0 the strongest. */
  readonly rank: number;
  readonly join: Join | null;
}

/**
 * Finds the server: flags, then `--join`, then the environment, then the data folder's join file.
 * A join file's token goes to that file's own server and to no other.
 *
 * @throws {@link CommandError} when nothing names a server, or a named join file is not there.
 */
export function findConnection(sources: ConnectionSources): Connection {
  const server = findServer(sources);
  const credential = pickCredential(server, findCredential(sources), sources.readJoin);
  const issued = credential?.kind === "issued" ? server.join : null;
  const named = sources.flags.fleet ?? sources.env["ASKFABRIC_FLEET"];
  const joined = server.join?.fleet;
  return {
    url: server.url,
    named: server.named,
    credential,
    tls: findTls(sources, server.join?.ca),
    speaker: issued !== null && "creds" in issued ? { name: issued.name, role: issued.role } : null,
    fleet: named
      ? { name: named, explicit: true }
      : joined === undefined
        ? null
        : { name: joined, explicit: server.rank < DEFAULT_JOIN },
  };
}

const DEFAULT_JOIN = 5;

function findServer({ flags, env, defaultJoin, readJoin }: ConnectionSources): FoundServer {
  const steps: readonly { named: string; url?: string | undefined; join?: string | undefined }[] = [
    { named: "--url", url: flags.url },
    { named: "--join", join: flags.join },
    { named: "ASKFABRIC_URL", url: env["ASKFABRIC_URL"] },
    { named: "ASKFABRIC_JOIN", join: env["ASKFABRIC_JOIN"] },
    { named: "NATS_URL", url: env["NATS_URL"] },
  ];
  for (const [rank, { named, url, join: path }] of steps.entries()) {
    if (url) return { url, named, rank, join: null };
    if (!path) continue;
    const join = readJoin(path);
    if (join !== null) return { url: join.url, named: path, rank, join };
    throw new CommandError(
      `${named} names ${path}, which is not there; start a server with "askfabric up" or name the file it wrote`,
    );
  }
  const join = readJoin(defaultJoin);
  if (join !== null) return { url: join.url, named: defaultJoin, rank: DEFAULT_JOIN, join };
  throw new CommandError(
    `no NATS server is named and ${defaultJoin} is not there; start one with "askfabric up", or name one with --url or ASKFABRIC_URL`,
  );
}

function findTls({ flags, env }: ConnectionSources, ca: string | undefined): ConnectionTls | null {
  return pairedTls({
    ca,
    caFile: flags.tlsCa || env["ASKFABRIC_TLS_CA"],
    certFile: flags.tlsCert || env["ASKFABRIC_TLS_CERT"],
    keyFile: flags.tlsKey || env["ASKFABRIC_TLS_KEY"],
  });
}

/** What of it is given; null for nothing. @throws {@link CommandError} for a certificate without its key. */
export function pairedTls({
  ca,
  caFile,
  certFile,
  keyFile,
}: {
  readonly [file in keyof ConnectionTls]?: string | undefined;
}): ConnectionTls | null {
  if (Boolean(certFile) !== Boolean(keyFile)) {
    throw new CommandError(
      "a certificate and its key belong together; give both --tls-cert and --tls-key, or neither",
    );
  }
  const found = {
    ...(caFile ? { caFile } : ca === undefined ? {} : { ca }),
    ...(certFile && keyFile ? { certFile, keyFile } : {}),
  };
  return Object.keys(found).length === 0 ? null : found;
}

interface FoundCredential {
  readonly source: CredentialSource;
  readonly rank: number;
}

/** The ranks are those of the servers, so that what is said closer to the command goes together. */
function findCredential({ flags, env }: ConnectionSources): FoundCredential | null {
  const steps = [
    { rank: 0, tokenFile: flags.tokenFile, creds: flags.creds, as: ["--token-file", "--creds"] },
    {
      rank: 2,
      tokenFile: env["ASKFABRIC_TOKEN_FILE"],
      creds: env["ASKFABRIC_CREDS"],
      as: ["ASKFABRIC_TOKEN_FILE", "ASKFABRIC_CREDS"],
    },
    { rank: 4, tokenFile: undefined, creds: env["NATS_CREDS"], as: ["", "NATS_CREDS"] },
  ] as const;
  for (const { rank, tokenFile, creds, as } of steps) {
    if (tokenFile && creds) {
      throw new CommandError(`${as[0]} and ${as[1]} are both given; give one of them`);
    }
    if (tokenFile) return { rank, source: { kind: "token-file", path: tokenFile, named: as[0] } };
    if (creds) return { rank, source: { kind: "creds", path: creds, named: as[1] } };
  }
  return null;
}

function pickCredential(
  server: FoundServer,
  found: FoundCredential | null,
  readJoin: ConnectionSources["readJoin"],
): CredentialSource | null {
  const { join, named: path } = server;
  if (join === null) return found?.source ?? null;
  if (found !== null && found.rank <= server.rank) return found.source;
  if ("token" in join) return { kind: "token", token: join.token };
  // Read anew on every connect: what runs out is issued again into the same file.
  const read = (): string => {
    const now = readJoin(path);
    return now !== null && "creds" in now ? now.creds : "";
  };
  return { kind: "issued", path, read };
}

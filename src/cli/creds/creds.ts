import { resolve } from "node:path";
import type { Mode, Role } from "../../access/roles.ts";
import {
  counts,
  type Roster,
  type RosterEntry,
  RosterError,
  withoutName,
} from "../../access/roster.ts";
import { stamp, wholeLine } from "../audit-text.ts";
import { CommandError, EXIT } from "../failure.ts";
import { type Io, printLine } from "../io.ts";
import { writePrivateFile } from "../private-write.ts";
import type { CredsLine } from "./creds-line.ts";
import { type Issued, issue, type Wanted } from "./issue.ts";
import { type IssuerFlags, issuerFolder } from "./issuer-flags.ts";
import {
  demandIssuer,
  type Issuer,
  makeIssuer,
  readIssuer,
  writeIssuer,
  writeServerFile,
} from "./issuer-folder.ts";
import { makeKeys } from "./issuer-keys.ts";
import { lockIssuer } from "./issuer-lock.ts";
import { readServerTls, type ServerTlsFlags } from "./read-server-tls.ts";
import { reloadServer } from "./reload-server.ts";

/** Flags of `creds init`. */
export interface InitFlags extends IssuerFlags, ServerTlsFlags {
  readonly fleet: string;
  readonly mode: Mode;
  readonly listen?: string;
}

/** Flags of `creds rotate`. */
export interface RotateFlags extends IssuerFlags {
  /** Milliseconds. */
  readonly expires?: number;
  readonly out?: string;
}

/** Flags of `creds add`. */
export interface AddFlags extends RotateFlags {
  readonly role: Role;
  readonly agent?: string;
}

/** Flags of `creds revoke`. */
export interface RevokeFlags extends IssuerFlags {
  readonly old?: boolean;
}

/** Sets a fleet up: keys, a server's files, and the credentials of its sink and its provisioner. */
export async function runInit(flags: InitFlags, io: Io): Promise<number> {
  const folder = issuerFolder(flags, io);
  const listen = flags.listen ?? listenOf(flags.url);
  const { tls, ca } = readServerTls(flags, io);
  const roster: Roster = {
    version: 1,
    mode: flags.mode,
    fleet: flags.fleet,
    url: flags.url,
    entries: [],
  };
  const keys = await makeKeys(flags.mode);
  let issuer = makeIssuer(folder, roster, keys);
  using _lock = lockIssuer(folder);
  writeServerFile(issuer, { listen, tls });
  if (ca !== null) writePrivateFile(issuer.files.ca, ca);
  const issued: Issued[] = [];
  for (const role of ["sink", "provisioner"] as const) {
    const wanted = { name: role, role, agents: [], expiresAt: null };
    const one = await issue(issuer, wanted, { now: io.clock.now(), out: null });
    issuer = one.issuer;
    issued.push(one);
  }
  await writeIssuer(issuer, { before: null, now: io.clock.now() });
  for (const one of issued) deliver(one, flags, io);
  say(
    { server: issuer.files.server },
    `start the server: nats-server -c ${issuer.files.server}`,
    flags,
    io,
  );
  return EXIT.ok;
}

/** Issues a credential under each of some new names, or a further one under a name whose others count no more. */
export async function runAdd(names: readonly string[], flags: AddFlags, io: Io): Promise<number> {
  const { role, agent } = flags;
  if (flags.out !== undefined && names.length > 1) {
    throw new CommandError("--out names one file; add one name with it, or leave it out");
  }
  await change(flags, io, async (issuer) => {
    let grown = issuer;
    const issued: Issued[] = [];
    for (const name of names) {
      refuseStanding(grown, { name, role }, io);
      const agents = agent === undefined ? [] : [agent];
      const one = await give(grown, { name, role, agents }, flags, io);
      grown = one.issuer;
      issued.push(one);
    }
    return { issuer: grown, issued };
  });
  return EXIT.ok;
}

function refuseStanding(
  { roster }: Issuer,
  { name, role }: Pick<Wanted, "name" | "role">,
  io: Io,
): void {
  const now = io.clock.now();
  const stands = roster.entries.some(
    (entry) => entry.name === name && entry.role === role && counts(entry, now),
  );
  if (!stands) return;
  throw new CommandError(
    `${JSON.stringify(name)} has a credential already; "askfabric creds rotate" issues a new one, "askfabric creds revoke" ends it`,
  );
}

/** Issues a new credential under a name that has one; the old one counts until it is revoked. */
export async function runRotate(name: string, flags: RotateFlags, io: Io): Promise<number> {
  await change(flags, io, async (issuer) => {
    const last = issuer.roster.entries.findLast((entry) => entry.name === name);
    if (last === undefined) {
      throw new CommandError(
        `${JSON.stringify(name)} was never issued a credential; "askfabric creds add" issues one`,
      );
    }
    const one = await give(issuer, last, flags, io);
    return { issuer: one.issuer, issued: [one] };
  });
  return EXIT.ok;
}

/** Ends what a name was issued; its connections are cut as soon as the server has read it. */
export async function runRevoke(name: string, flags: RevokeFlags, io: Io): Promise<number> {
  await change(flags, io, async (issuer) => {
    const now = io.clock.now();
    const roster = withoutName(issuer.roster, name, { now, onlyOld: flags.old === true });
    const ended = roster.entries.filter(({ revokedAt }) => revokedAt === now).length;
    const what = ended === 1 ? "its credential" : `${String(ended)} credentials of it`;
    const told = (): void =>
      say(
        { revoked: { name, credentials: ended } },
        `revoked ${name}: ${what} counts no more`,
        flags,
        io,
      );
    return Promise.resolve({ issuer: { ...issuer, roster }, issued: [], told });
  });
  return EXIT.ok;
}

/** Shows who may speak. */
export function runShow(flags: IssuerFlags, io: Io): number {
  const { roster, files } = readIssuer(issuerFolder(flags, io));
  const now = io.clock.now();
  if (flags.json !== true) {
    io.write(
      wholeLine(
        `fleet ${roster.fleet}, ${roster.mode}, ${roster.url}, ${files.folder}`,
        flags.width,
      ),
    );
  }
  for (const entry of roster.entries) {
    const { name, role, agents, publicKey, issuedAt, expiresAt, revokedAt } = entry;
    const shown = { name, role, agents, publicKey, issuedAt, expiresAt, revokedAt };
    say({ credential: shown }, entryText(entry, now), flags, io);
  }
  return EXIT.ok;
}

function entryText(entry: RosterEntry, now: number): string {
  const { name, role, agents, expiresAt, revokedAt } = entry;
  const state =
    revokedAt !== null
      ? `revoked ${stamp(revokedAt)}`
      : expiresAt === null
        ? "counts"
        : `${counts(entry, now) ? "counts until" : "over since"} ${stamp(expiresAt)}`;
  const claims = agents.length === 0 ? "" : `, agents ${agents.join(", ")}`;
  return `${role.padEnd(12)}${name}${claims}: ${state}`;
}

/** What a command made of an issuer's folder. */
interface Changed {
  readonly issuer: Issuer;
  readonly issued: readonly Issued[];
  /** Tells what was done, once it is. */
  readonly told?: () => void;
}

async function change(
  flags: IssuerFlags,
  io: Io,
  work: (issuer: Issuer) => Promise<Changed>,
): Promise<void> {
  const folder = issuerFolder(flags, io);
  // Before the lock makes a file in a folder that is none.
  demandIssuer(folder);
  using _lock = lockIssuer(folder);
  const standing = readIssuer(folder);
  const { roster: before } = standing;
  const { issuer, issued, told } = await work(standing).catch((error: unknown) => {
    throw asCommandError(error);
  });
  const isChanged = await writeIssuer(issuer, { before, now: io.clock.now() });
  told?.();
  for (const one of issued) deliver(one, flags, io);
  const reloaded = isChanged ? reloadServer(issuer.files) : "as_it_was";
  const text = {
    as_it_was: "the server takes it as it is",
    reloaded: "the server reads it now",
    not_running: "no server runs on these files here; it counts from its next start",
    unknown: `tell the server: nats-server --signal reload=${issuer.files.pid}`,
  }[reloaded];
  say({ server: reloaded }, text, flags, io);
}

async function give(
  issuer: Issuer,
  wanted: Omit<Wanted, "expiresAt">,
  { out, expires }: RotateFlags,
  io: Io,
): Promise<Issued> {
  const now = io.clock.now();
  const expiresAt = expires === undefined ? null : now + expires;
  const file = out ? resolve(io.cwd, out) : null;
  return issue(issuer, { ...wanted, expiresAt }, { now, out: file });
}

function asCommandError(error: unknown): unknown {
  return error instanceof RosterError ? new CommandError(error.message, { cause: error }) : error;
}

function deliver(issued: Issued, flags: IssuerFlags, io: Io): void {
  issued.deliver();
  const { entry, file } = issued;
  const { name, role, agents, expiresAt } = entry;
  const until = expiresAt === null ? "" : ` until ${stamp(expiresAt)}`;
  const text = `issued the ${role} ${name}${until}: ${file}`;
  say({ issued: { name, role, agents, expiresAt, join: file } }, text, flags, io);
}

function say(line: CredsLine, text: string, { json, width }: IssuerFlags, io: Io): void {
  if (json === true) printLine(io, line);
  else io.write(wholeLine(text, width));
}

/** The loopback for a server of this machine, every address for one that others reach. */
function listenOf(url: string): string {
  const place = /^(?:nats|tls):\/\/([^/]+)$/.exec(url)?.[1] ?? url;
  const port = /:(\d+)$/.exec(place)?.[1] ?? "4222";
  const host = place.replace(/:\d+$/, "");
  return ["127.0.0.1", "localhost", "[::1]"].includes(host)
    ? `127.0.0.1:${port}`
    : `0.0.0.0:${port}`;
}

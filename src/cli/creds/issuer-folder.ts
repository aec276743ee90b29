import { existsSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseRoster, type Roster, revocationsOf } from "../../access/roster.ts";
import { accountsFile, type ServerPlace, serverFile } from "../../access/server-file.ts";
import { makeFolder } from "../../journal/make-folder.ts";
import { CommandError } from "../failure.ts";
import { readPrivateFile } from "../private-file.ts";
import { writePrivateFile } from "../private-write.ts";
import { type IssuerKeys, type KeptKeys, readKeys } from "./issuer-keys.ts";

/** Files of the folder from which a fleet's credentials are issued. */
export interface IssuerFiles {
  readonly folder: string;
  /** Who may speak; no secret stands in it. */
  readonly roster: string;
  /** The keys that sign: whoever has them can speak as anybody. */
  readonly keys: string;
  /** What a server is started with. */
  readonly server: string;
  /** Who may speak, as the server reads it. */
  readonly accounts: string;
  /** Authority of the server's certificate; not there where it has none of its own. */
  readonly ca: string;
  readonly pid: string;
  readonly streams: string;
  /** Join files that were issued here. */
  readonly issued: string;
}

/** The files of an issuer's folder. */
export function issuerFiles(folder: string): IssuerFiles {
  return {
    folder,
    roster: join(folder, "roster.json"),
    keys: join(folder, "keys.json"),
    server: join(folder, "server.conf"),
    accounts: join(folder, "accounts.conf"),
    ca: join(folder, "ca.pem"),
    pid: join(folder, "server.pid"),
    streams: join(folder, "streams"),
    issued: join(folder, "issued"),
  };
}

/** What an issuer's folder holds. */
export interface Issuer {
  readonly files: IssuerFiles;
  readonly roster: Roster;
  readonly keys: IssuerKeys;
}

/** Demands that a fleet is set up in a folder. @throws {@link CommandError} when none is. */
export function demandIssuer(folder: string): IssuerFiles {
  const files = issuerFiles(folder);
  if (existsSync(files.roster)) return files;
  throw new CommandError(
    `no fleet is set up in ${folder}; "askfabric creds init" sets one up, --issuer names another folder`,
  );
}

/**
 * Reads an issuer's folder.
 *
 * @throws {@link CommandError} when it is not there, open to others or broken.
 */
export function readIssuer(folder: string): Issuer {
  const files = demandIssuer(folder);
  const roster = parseRoster(readPrivateFile(files.roster, "the roster"));
  if (typeof roster === "string") {
    throw new CommandError(
      `the roster ${files.roster} cannot be read (${roster}); bring it back from a backup`,
    );
  }
  const kept = roster.mode === "nkeys" ? "" : readPrivateFile(files.keys, "the file of keys");
  const keys = readKeys(roster.mode, kept, files.keys);
  return { files, roster, keys };
}

/** Sets an issuer's folder up. @throws {@link CommandError} when one is set up there already. */
export function makeIssuer(folder: string, roster: Roster, keys: KeptKeys | null): Issuer {
  const files = issuerFiles(folder);
  if (existsSync(files.roster)) {
    throw new CommandError(
      `${folder} holds a fleet already; "askfabric creds show" lists it, --issuer names another folder`,
    );
  }
  makeFolder(files.folder);
  makeFolder(files.issued);
  if (keys !== null) writePrivateFile(files.keys, `${JSON.stringify(keys, null, 2)}\n`);
  return { files, roster, keys: readKeys(roster.mode, JSON.stringify(keys), files.keys) };
}

/** Writes what a server is started with. */
export function writeServerFile(
  { files }: Issuer,
  { listen, tls }: Pick<ServerPlace, "listen" | "tls">,
): void {
  const place = { listen, tls, storeFolder: files.streams, pidFile: files.pid };
  writePrivateFile(files.server, serverFile(place));
}

/**
 * Writes a roster and what the server reads of it; says whether that changed. JWTs of accounts hold no users: they are
 * written anew only for what is revoked, since each new one makes every session connect again.
 */
export async function writeIssuer(
  { files, roster, keys }: Issuer,
  { before, now }: { readonly before: Roster | null; readonly now: number },
): Promise<boolean> {
  const stays = before !== null && isAsItWas(keys, before, roster);
  const accounts = stays ? null : await accountsFile(roster, keys, now);
  writePrivateFile(files.roster, `${JSON.stringify(roster, null, 2)}\n`);
  if (accounts !== null) writePrivateFile(files.accounts, accounts);
  return !stays;
}

/** Whether a server reads the same of two rosters: one that asks reads nothing of them. */
function isAsItWas({ mode }: IssuerKeys, before: Roster, after: Roster): boolean {
  if (mode === "nkeys") return false;
  return mode === "callout" || isDeepStrictEqual(revocationsOf(before), revocationsOf(after));
}

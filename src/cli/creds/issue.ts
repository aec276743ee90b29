import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { userJwt } from "../../access/jwt-accounts.ts";
import { mintKey } from "../../access/keys.ts";
import type { Role } from "../../access/roles.ts";
import { type RosterEntry, withEntry } from "../../access/roster.ts";
import { sessionToken } from "../../bus/tokens.ts";
import { CommandError, sentenceOf } from "../failure.ts";
import { writeJoin } from "../join.ts";
import type { Issuer } from "./issuer-folder.ts";
import type { IssuerKeys } from "./issuer-keys.ts";

/** What a credential is issued for. */
export interface Wanted {
  readonly name: string;
  readonly role: Role;
  readonly agents: readonly string[];
  /** Unix milliseconds; null: for good. */
  readonly expiresAt: number | null;
}

/** A credential that was issued. */
export interface Issued {
  readonly issuer: Issuer;
  readonly entry: RosterEntry;
  /** The join file, for the machine that is to speak with it. */
  readonly file: string;
  /**
   * Writes the join file; once the roster is written, so that no credential counts that nobody could revoke.
   *
   * @throws {@link CommandError} when it cannot be written.
   */
  readonly deliver: () => void;
}

/**
 * Issues a credential: a new key, a place in the roster and a join file with both. Neither file is written.
 *
 * @throws {@link RosterError} when the name is another's.
 */
export async function issue(
  issuer: Issuer,
  wanted: Wanted,
  { now, out }: { readonly now: number; readonly out: string | null },
): Promise<Issued> {
  const { name, role, agents, expiresAt } = wanted;
  const { fleet, url } = issuer.roster;
  const { seed, key } = mintKey("user");
  const { publicKey } = key;
  const until = { issuedAt: now, expiresAt, revokedAt: null };
  const entry: RosterEntry = { name, role, publicKey, agents: [...agents], ...until };
  const roster = withEntry(issuer.roster, entry);
  const creds = await credsOf(issuer.keys, entry, seed);
  const file = out ?? join(issuer.files.issued, `${sessionToken(name)}.join.json`);
  const ca = caOf(issuer);
  const deliver = (): void => {
    try {
      writeJoin(file, { url, fleet, creds, name, role, ...(ca === null ? {} : { ca }) });
    } catch (error) {
      throw new CommandError(
        `the join file ${file} cannot be written (${sentenceOf(error)}); issue it again with "askfabric creds rotate" and --out`,
        { cause: error },
      );
    }
  };
  return { issuer: { ...issuer, roster }, entry, file, deliver };
}

function caOf({ files }: Issuer): string | null {
  return existsSync(files.ca) ? readFileSync(files.ca, "utf8") : null;
}

async function credsOf(
  keys: IssuerKeys,
  { name, role, publicKey, expiresAt }: RosterEntry,
  seed: string,
): Promise<string> {
  if (keys.mode !== "jwt") return seed;
  const token = sessionToken(name);
  const jwt = await userJwt(keys.keys, {
    token,
    role,
    publicKey,
    expiresAt: expiresAt === null ? null : Math.floor(expiresAt / 1000),
  });
  return `-----BEGIN NATS USER JWT-----
${jwt}
------END NATS USER JWT------

-----BEGIN USER NKEY SEED-----
${seed}
------END USER NKEY SEED------
`;
}

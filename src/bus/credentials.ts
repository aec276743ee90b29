import type { Auth, Authenticator } from "@nats-io/nats-core";
import { readSeed, type SigningKey } from "../wire/nkey.ts";

/** A secret, or the way to read it whenever the connection is made. */
export type Secret = string | (() => string);

/** As whom a connection speaks: a token, a user with a password, a user's key with or without a JWT, or nobody. */
export interface Credentials {
  /**
   * Token of a server that was set up with one. It is shown as the password of user `askfabric` as well, so
   * that the same token fits a server with accounts.
   */
  readonly token?: Secret;
  readonly user?: string;
  readonly pass?: Secret;
  /** Content of a `.creds` file, or the seed of a user's nkey alone. */
  readonly creds?: Secret;
}

/** The user a token stands for on servers with accounts. */
export const TOKEN_USER = "askfabric";

/** What a connection shows to a server. */
export interface ReadCredentials {
  readonly kind: string | null;
  readonly authenticator: Authenticator;
}

/** Reads credentials; what is wrong with them goes to `faults`, never the credentials themselves. */
export function readCredentials(given: Credentials, faults: string[]): ReadCredentials {
  const { token, user, pass, creds } = given;
  const kinds = [token, user, creds].filter((one) => one !== undefined);
  if (kinds.length > 1) faults.push("token, user and creds exclude each other; give one of them.");
  if (user === undefined && pass !== undefined)
    faults.push("pass stands alone; give its user too.");
  if (token !== undefined) {
    probe("token", token, faults);
    return { kind: "token", authenticator: guarded(() => withToken(valueOf(token))) };
  }
  if (user !== undefined) {
    const password = pass ?? "";
    if (pass === undefined) faults.push("user stands alone; give its pass too.");
    else probe("pass", pass, faults);
    return {
      kind: "user and password",
      authenticator: guarded(() => ({ user, pass: valueOf(password) })),
    };
  }
  if (creds !== undefined) {
    const authenticator = withCreds(creds);
    if (probe("creds", creds, faults)) checkCreds(authenticator, faults);
    return { kind: "creds", authenticator: guarded(authenticator) };
  }
  return { kind: null, authenticator: () => undefined };
}

function withToken(token: string): Auth {
  return { auth_token: token, user: TOKEN_USER, pass: token };
}

/** The key of credentials that have one; null for any other. @throws when they cannot be read. */
export function keyOf({ creds }: Credentials): SigningKey | null {
  return creds === undefined ? null : readCreds(valueOf(creds)).key;
}

/** Signs with Node's own Ed25519: the library's takes ten milliseconds of each connect. */
function withCreds(creds: Secret): Authenticator {
  return (nonce) => {
    const { jwt, key } = readCreds(valueOf(creds));
    const sig = Buffer.from(key.sign(Buffer.from(nonce ?? "", "utf8"))).toString("base64");
    return { ...(jwt === null ? {} : { jwt }), nkey: key.publicKey, sig };
  };
}

const BLOCK = /-{3,}BEGIN [^-\n]*-{3,}\s*(\S+)\s*-{3,}END [^-\n]*-{3,}/g;

function readCreds(text: string): { readonly jwt: string | null; readonly key: SigningKey } {
  const blocks = [...text.matchAll(BLOCK)].map(([, content = ""]) => content);
  const key = readSeed(blocks.length === 0 ? text : (blocks[1] ?? ""));
  if (key?.kind !== "user") throw new Error("no credentials of a user");
  return { jwt: blocks[0] ?? null, key };
}

function valueOf(secret: Secret): string {
  return typeof secret === "string" ? secret : secret();
}

function probe(key: string, secret: Secret, faults: string[]): boolean {
  try {
    if (valueOf(secret) !== "") return true;
    faults.push(`${key} is empty.`);
  } catch (error) {
    faults.push(`${key} could not be read: ${error instanceof Error ? error.message : "unknown"}.`);
  }
  return false;
}

function checkCreds(authenticator: Authenticator, faults: string[]): void {
  try {
    authenticator("probe");
  } catch {
    faults.push(
      "creds is not what a server issued: it needs a JWT and a seed between dashed lines, or the seed of a user alone.",
    );
  }
}

/** The library closes a connection for good when an authenticator throws; showing nothing is refused, and retried. */
function guarded(authenticator: Authenticator): Authenticator {
  return (nonce) => {
    try {
      return authenticator(nonce);
    } catch {
      return undefined;
    }
  };
}

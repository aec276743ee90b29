import { type Auth, type Authenticator, credsAuthenticator } from "@nats-io/nats-core";

/** A secret, or the way to read it whenever the connection is made. */
export type Secret = string | (() => string);

/** As whom a connection speaks: a token, a user with a password, the content of a `.creds` file, or nobody. */
export interface Credentials {
  /**
   * Token of a server that was set up with one. It is shown as the password of user `askfabric` as well, so
   * that the same token fits a server with accounts.
   */
  readonly token?: Secret;
  readonly user?: string;
  readonly pass?: Secret;
  /** Content of a `.creds` file. */
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

function withCreds(creds: Secret): Authenticator {
  const encoder = new TextEncoder();
  return credsAuthenticator(() => encoder.encode(valueOf(creds)));
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
      "creds is not the content of a .creds file: it needs a JWT and a seed between dashed lines.",
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

import type { SigningKey } from "../wire/nkey.ts";
import { type FleetJwts, type FleetKeys, fleetJwts } from "./jwt-accounts.ts";
import { calloutAccounts, nkeyAccounts } from "./nkey-accounts.ts";
import { prefixOf, type Roster, revocationsOf } from "./roster.ts";

/** Largest message a server of a fleet takes, headers included, in bytes. */
export const MAX_PAYLOAD_BYTES = 512 * 1024;

/** Where and how a server of the fleet runs. */
export interface ServerPlace {
  /** `host:port`. */
  readonly listen: string;
  /** Folder of its streams; absolute. */
  readonly storeFolder: string;
  /** File it writes its process id to; absolute. */
  readonly pidFile: string;
  /** Files of its certificate; null: connections are not encrypted. */
  readonly tls: ServerTls | null;
}

/** Files of a server's certificate; absolute. */
export interface ServerTls {
  readonly certFile: string;
  readonly keyFile: string;
  /** Authority of the certificates that connections have to show; null: they show none. */
  readonly clientCaFile: string | null;
}

/** Writes the file that a server is started with; who may speak stands in a file beside it. */
export function serverFile({ listen, storeFolder, pidFile, tls }: ServerPlace): string {
  const text = (value: string): string => JSON.stringify(value);
  return `# A NATS server for a fleet of askfabric. Who may speak stands in accounts.conf, which "askfabric creds" writes.
include ./accounts.conf

listen: ${text(listen)}
pid_file: ${text(pidFile)}
max_payload: ${String(MAX_PAYLOAD_BYTES)}
# With nats-server 2.10 and newer add sync_interval: "1s", so that a power cut takes a second of records at most.
jetstream { store_dir: ${text(storeFolder)} }
${tls === null ? "" : tlsBlock(tls)}`;
}

function tlsBlock({ certFile, keyFile, clientCaFile }: ServerTls): string {
  const text = (value: string): string => JSON.stringify(value);
  const verify = clientCaFile === null ? "" : `, ca_file: ${text(clientCaFile)}, verify: true`;
  return `tls { cert_file: ${text(certFile)}, key_file: ${text(keyFile)}${verify} }\n`;
}

/** What the keys of a fleet sign, by its set-up. */
export type ServerKeys =
  | { readonly mode: "nkeys" }
  | { readonly mode: "jwt"; readonly keys: FleetKeys; readonly operatorJwt: string }
  | {
      readonly mode: "callout";
      /** Signs what the service answers. */
      readonly issuer: SigningKey;
      /** Public key as which the service connects. */
      readonly service: string;
    };

/** Writes who may speak: users by their keys, the JWTs of the accounts, or whom the server has to ask. */
export async function accountsFile(roster: Roster, by: ServerKeys, now: number): Promise<string> {
  if (by.mode === "nkeys") return nkeyAccounts(roster, now);
  if (by.mode === "callout") return calloutAccounts(roster, by.issuer.publicKey, by.service);
  const jwts = await fleetJwts(by.keys, prefixOf(roster), revocationsOf(roster));
  return jwtAccounts(by.operatorJwt, jwts);
}

function jwtAccounts(operator: string, { systemAccount, accounts }: FleetJwts): string {
  const preload = Object.entries(accounts).map(([key, jwt]) => `  ${key}: ${JSON.stringify(jwt)}`);
  return `operator: ${JSON.stringify(operator)}
system_account: ${systemAccount}
resolver: MEMORY
resolver_preload {
${preload.join("\n")}
}
`;
}

import { accountsBlock, list } from "../../access/accounts-block.ts";
import { rightsOf } from "../../access/rights.ts";
import { MAX_PAYLOAD_BYTES } from "../../access/server-file.ts";
import { TOKEN_USER } from "../../bus/credentials.ts";
import { isAtLeast, type ServerVersion } from "./server-version.ts";

/** First version that knows `sync_interval`; an older one does not start with it. */
const SYNC_INTERVAL_SINCE = "2.10.0";

/** Users of the audit account, by what they may do there. */
export const AUDIT_USERS = { sink: "sink", provisioner: "provisioner" } as const;

/** What each kind of user of a managed server shows. */
export interface ServerSecrets {
  /** Every session's. */
  readonly token: string;
  /** May read the audit stream. */
  readonly sink: string;
  /** May make and change the audit stream. */
  readonly provisioner: string;
}

/** What a managed server's configuration depends on. */
export interface ServerConfig {
  readonly version: ServerVersion;
  /** Address it listens on: the loopback, or every address inside a container. */
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly secrets: ServerSecrets;
  /** Prefix of the fleet, whose records pass into the audit account. */
  readonly prefix: string;
  readonly logFile: string;
  readonly storeFolder: string;
}

/** Says whether a server of this version can be told to write its streams through every second. */
export function canSyncEachSecond(version: ServerVersion): boolean {
  return isAtLeast(version, SYNC_INTERVAL_SINCE);
}

/** Writes the configuration of a managed server. */
export function writeServerConfig(config: ServerConfig): string {
  const text = (value: string): string => JSON.stringify(value);
  const sync = canSyncEachSecond(config.version) ? ', sync_interval: "1s"' : "";
  return `listen: ${text(`${config.host}:${String(config.port)}`)}
server_name: ${text(config.name)}
max_payload: ${String(MAX_PAYLOAD_BYTES)}
log_file: ${text(config.logFile)}
logfile_size_limit: 10485760
jetstream { store_dir: ${text(config.storeFolder)}${sync} }
${serverAccounts(config)}`;
}

/** The accounts of a server whose sessions share a token. */
export function serverAccounts({
  prefix,
  secrets,
}: Pick<ServerConfig, "prefix" | "secrets">): string {
  const text = (value: string): string => JSON.stringify(value);
  const user = (name: keyof typeof AUDIT_USERS): string => {
    const { publish, subscribe } = rightsOf(name, prefix, AUDIT_USERS[name]);
    return `{ user: ${AUDIT_USERS[name]}, password: ${text(secrets[name])}, permissions: {
        publish: ${list(publish)}
        subscribe: ${list(subscribe)}
      } }`;
  };
  const fleet = `
    users: [ { user: ${TOKEN_USER}, password: ${text(secrets.token)}, permissions: {
        publish: { deny: ["$JS.>"] }
      } } ]`;
  const audit = `
    users: [
      ${user("sink")}
      ${user("provisioner")}
    ]`;
  return accountsBlock(prefix, { fleet, audit });
}

import { TOKEN_USER } from "../../bus/credentials.ts";
import { isAtLeast, type ServerVersion } from "./server-version.ts";

/** Largest message a managed server takes, headers included, in bytes. */
export const MAX_PAYLOAD_BYTES = 512 * 1024;

/** First version that knows `sync_interval`; an older one does not start with it. */
const SYNC_INTERVAL_SINCE = "2.10.0";

/** What a managed server's configuration depends on. */
export interface ServerConfig {
  readonly version: ServerVersion;
  /** Address it listens on: the loopback, or every address inside a container. */
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly token: string;
  readonly logFile: string;
  readonly storeFolder: string;
}

/** Says whether a server of this version can be told to write its streams through every second. */
export function canSyncEachSecond(version: ServerVersion): boolean {
  return isAtLeast(version, SYNC_INTERVAL_SINCE);
}

/**
 * Writes the configuration of a managed server. Sessions live in an account of their own without streams,
 * records will live in another, and nobody can enter that one or the system's yet.
 */
export function writeServerConfig(config: ServerConfig): string {
  const text = (value: string): string => JSON.stringify(value);
  const sync = canSyncEachSecond(config.version) ? ', sync_interval: "1s"' : "";
  return `listen: ${text(`${config.host}:${String(config.port)}`)}
server_name: ${text(config.name)}
max_payload: ${String(MAX_PAYLOAD_BYTES)}
log_file: ${text(config.logFile)}
logfile_size_limit: 10485760
jetstream { store_dir: ${text(config.storeFolder)}${sync} }
accounts {
  FLEET { users: [ { user: ${TOKEN_USER}, password: ${text(config.token)} } ] }
  AUDIT { jetstream: enabled }
  SYS {}
}
system_account: SYS
`;
}

import { provisionRecords } from "../../src/cli/provision-records.ts";
import { canSyncEachSecond, serverAccounts } from "../../src/cli/server/server-config.ts";
import { testServer } from "../../test/support/nats-servers.ts";
import type { Scene } from "./scene.ts";

/** A server with an audit stream, and what its users show. */
export interface StreamPlace {
  readonly url: string;
  /** What a session shows. */
  readonly session: { readonly token?: string };
  /** What the sink shows. */
  readonly sink: { readonly user?: string; readonly pass?: string };
}

const SECRETS = { token: "t0ken", sink: "s1nk", provisioner: "pr0v" };
const STREAM = { maxBytes: 4 * 1024 ** 3, replicas: null };

/**
 * Starts a server with an audit stream on the disk that is measured. `import`: in an account of its own, as
 * `askfabric up` sets it up; `one`: in the account of the sessions.
 */
export async function openStream(scene: Scene, account: "import" | "one"): Promise<StreamPlace> {
  const { version } = await testServer();
  const sync = canSyncEachSecond(version) ? ', sync_interval: "1s"' : "";
  const streams = `jetstream { store_dir: ${JSON.stringify(scene.folder("stream"))}${sync} }`;
  const own = account === "import";
  const accounts = serverAccounts({ prefix: "af.v1.default", secrets: SECRETS });
  const { url } = await scene.server({ config: own ? `${streams}\n${accounts}` : streams });
  const provisioner = own ? { user: "provisioner", pass: SECRETS.provisioner } : {};
  await provisionRecords({ servers: url, ...provisioner }, STREAM);
  return {
    url,
    session: own ? { token: SECRETS.token } : {},
    sink: own ? { user: "sink", pass: SECRETS.sink } : {},
  };
}

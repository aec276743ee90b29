import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect as connectRaw } from "@nats-io/transport-node";
import type { Bus } from "../../src/bus/bus.ts";
import { connect } from "../../src/bus/connect.ts";
import { connectKeeper, type KeeperBus } from "../../src/bus/connect-keeper.ts";
import { RECORD_STREAM, type StreamChoice } from "../../src/bus/stream-settings.ts";
import { provisionRecords } from "../../src/cli/provision-records.ts";
import type { NatsProgram } from "../../src/cli/server/nats-program.ts";
import { canSyncEachSecond, serverAccounts } from "../../src/cli/server/server-config.ts";
import { startNats, type TestServer } from "./nats-launcher.ts";
import { testServer } from "./nats-servers.ts";
import { tempFolder } from "./temp-folder.ts";

const SECRETS = { token: "t0ken", sink: "s1nk", provisioner: "pr0v", admin: "adm1n" };

/** A server with the accounts of the product's own, and its audit stream. */
export interface AuditServer extends AsyncDisposable {
  readonly server: TestServer;
  readonly prefix: string;
  /** Connects as a session. */
  asSession(session: string): Promise<Bus>;
  asSink(): Promise<KeeperBus>;
  asProvisioner(): Promise<KeeperBus>;
  /** Removes the stream's readers, or the stream itself, as somebody with every right could. */
  remove(what: "readers" | "stream"): Promise<void>;
  /** Takes whatever is published for the stream in its account, and never answers. */
  listenMutely(): Promise<{ readonly heard: () => number; readonly end: () => Promise<void> }>;
  /** Puts a sink out, and lets it in no more, until `nobody` is. */
  shut(who: "sink" | "nobody"): void;
  /** Makes or checks the stream. */
  provision(choice?: Partial<Omit<StreamChoice, "prefix">>): Promise<string>;
}

/** Size of the streams of tests, in bytes. */
const TEST_STREAM_BYTES = 256 * 1024 * 1024;

/** Starts one, with a stream unless told otherwise. */
export async function startAuditServer(
  options: { readonly program?: NatsProgram; readonly stream?: boolean } = {},
): Promise<AuditServer> {
  const store = tempFolder();
  const fleet = "crew";
  const program = options.program ?? (await testServer());
  const sync = canSyncEachSecond(program.version) ? ', sync_interval: "1s"' : "";
  const configOf = (secrets: typeof SECRETS): string =>
    `jetstream { store_dir: "${join(store.path, "js")}"${sync} }
${withAdmin(serverAccounts({ prefix: `af.v1.${fleet}`, secrets }))}`;
  const server = await startNats({ program, config: configOf(SECRETS) });
  const base = { servers: server.url, fleet, pingIntervalMs: 1_000 };
  const sink = { ...base, session: "sink", user: "sink", pass: SECRETS.sink };
  const provisioner = { ...base, user: "provisioner", pass: SECRETS.provisioner };
  const provision: AuditServer["provision"] = async (choice = {}) =>
    provisionRecords(provisioner, { maxBytes: TEST_STREAM_BYTES, replicas: null, ...choice });
  if (options.stream !== false) await provision();
  return {
    server,
    prefix: `af.v1.${fleet}`,
    asSession: async (session) => connect({ ...base, session, token: SECRETS.token }),
    asSink: async () => connectKeeper(sink),
    asProvisioner: async () => connectKeeper({ ...provisioner, session: "provisioner" }),
    provision,
    remove: async (what) => {
      const { port } = server;
      const admin = await connectRaw({ port, user: "admin", pass: SECRETS.admin });
      const { streams, consumers } = await jetstreamManager(admin, { checkAPI: false });
      if (what === "stream") await streams.delete(RECORD_STREAM);
      else {
        for await (const { name } of consumers.list(RECORD_STREAM)) {
          await consumers.delete(RECORD_STREAM, name);
        }
      }
      await admin.close();
    },
    listenMutely: async () => {
      const { port } = server;
      const admin = await connectRaw({ port, user: "admin", pass: SECRETS.admin });
      let heard = 0;
      const callback = (): void => {
        heard += 1;
      };
      admin.subscribe(`af.v1.${fleet}.audit.>`, { callback });
      await admin.flush();
      return { heard: () => heard, end: async () => admin.close() };
    },
    shut: (who) => {
      const sinkSecret = who === "sink" ? "an0ther" : SECRETS.sink;
      server.configure(configOf({ ...SECRETS, sink: sinkSecret }));
      server.reload();
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      store[Symbol.dispose]();
    },
  };
}

/** The accounts with a user of the audit account who may do everything. */
function withAdmin(accounts: string): string {
  const users = "jetstream: enabled\n    users: [";
  return accounts.replace(users, `${users}\n { user: admin, password: ${SECRETS.admin} }`);
}

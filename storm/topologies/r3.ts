import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { layServer, type StormServer } from "../nodes/server.ts";
import { lookAtStream } from "../nodes/stream.ts";
import { openNamespaces } from "./namespaces.ts";
import type { ClusterHandle, OpenTopology } from "./topology.ts";

const NAMES = ["nats-1", "nats-2", "nats-3"] as const;
const CLIENT_PORT = 4222;
const MAKE_SECRETS = fileURLToPath(
  new URL("../../deploy/make-cluster-secrets.sh", import.meta.url),
);

/** Three servers, each on a machine of its own so far as the network goes, that hold the stream together. */
export const openR3: OpenTopology = async ({ folder, program, secrets }) => {
  const machines = openNamespaces(NAMES.length);
  const [first, ...others] = machines.addresses;
  if (first === undefined) throw new RangeError("a cluster without servers");
  execFileSync("sh", [MAKE_SECRETS, secrets, first, ...others]);
  const servers: StormServer[] = [];
  for (const [place, name] of NAMES.entries()) {
    const home = join(folder, name);
    mkdirSync(home);
    cpSync(join(secrets, "secrets.conf"), join(home, "secrets.conf"));
    const server = await layServer({
      program,
      folder: home,
      name,
      files: ["cluster.conf", "nats.conf", "host.conf"],
      edit: (text) => text.replace("server_name: nats-1", `server_name: ${name}`),
      within: machines.within(place),
      address: machines.addresses[place] ?? "",
      port: CLIENT_PORT,
    });
    servers.push(server);
  }
  const addressOf = (from: number) => {
    const at = (place: number): { host: string; port: number } => ({
      host: machines.addresses[(from + place) % NAMES.length] ?? first,
      port: CLIENT_PORT,
    });
    return [at(0), at(1), at(2)] as const;
  };
  const secret = join(secrets, "provisioner.secret");
  const placeOf = (server: StormServer): number => servers.indexOf(server);
  const cluster: ClusterHandle = {
    leader: async () => {
      const all = machines.addresses.map((host) => `${host}:${String(CLIENT_PORT)}`);
      const name = (await lookAtStream(all, secret))?.leader;
      return servers.find((server) => server.name === name) ?? null;
    },
    part: (server, ways) => machines.part(placeOf(server), ways),
    heal: (server) => machines.heal(placeOf(server)),
  };
  return {
    name: "r3",
    servers,
    addressesOf: (seat) => addressOf(SEATS[seat]),
    way: ["lead"],
    spares: [],
    provisionArgs: ["--replicas", "3"],
    leafLink: null,
    cluster,
    url: () => `nats://${first}:${String(CLIENT_PORT)}`,
    start: async () => {
      await Promise.all(servers.map(async (server) => server.start()));
    },
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(async (server) => server.kill()));
      machines[Symbol.dispose]();
    },
  };
};

/** Which server each seat's link leads to first: all three are used. */
const SEATS = { parent: 0, child: 1, sink: 2 } as const;

import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { layServer } from "../nodes/server.ts";
import type { OpenTopology } from "./topology.ts";

/** One server, as `deploy` sets one machine up. */
export const openSingle: OpenTopology = async ({ folder, program, secrets }) => {
  const home = join(folder, "server");
  mkdirSync(home);
  cpSync(join(secrets, "secrets.conf"), join(home, "secrets.conf"));
  const server = await layServer({
    program,
    folder: home,
    name: "server",
    files: ["nats.conf"],
    edit: (text, port) => text.replace("127.0.0.1:4222", `127.0.0.1:${String(port)}`),
  });
  return {
    name: "single",
    servers: [server],
    addressesOf: () => [server],
    url: () => `nats://127.0.0.1:${String(server.port)}`,
    way: ["lead"],
    spares: [],
    provisionArgs: [],
    leafLink: null,
    cluster: null,
    start: async () => server.start(),
    [Symbol.asyncDispose]: async () => server.kill(),
  };
};

/** One server, and a session between children and the one that decides. */
export const openRelay: OpenTopology = async (place) => ({
  ...(await openSingle(place)),
  name: "relay",
  way: ["middle", "lead"],
});

/** One server, and a second session that children ask when nobody serves the first. */
export const openPair: OpenTopology = async (place) => ({
  ...(await openSingle(place)),
  name: "pair",
  spares: ["spare"],
});

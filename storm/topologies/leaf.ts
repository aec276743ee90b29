import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../src/cli/server/ports.ts";
import { layServer } from "../nodes/server.ts";
import { randomOf } from "../random.ts";
import { openWire } from "../wire/wire.ts";
import type { OpenTopology } from "./topology.ts";

const MAKE_SECRETS = fileURLToPath(new URL("../../deploy/make-leaf-secrets.sh", import.meta.url));

/** A hub with parent and sink, and a leaf node with the children, joined by one link that can be cut. */
export const openLeaf: OpenTopology = async ({ folder, program, secrets }) => {
  const home = (name: string, secret: string): string => {
    const path = join(folder, name);
    mkdirSync(path);
    cpSync(join(secrets, secret), join(path, secret));
    return path;
  };
  const leafPort = await freePort();
  const hub = await layServer({
    program,
    folder: home("hub", "secrets.conf"),
    name: "hub",
    files: ["hub.conf", "nats.conf"],
    edit: (text, port) =>
      text
        .replace("127.0.0.1:4222", `127.0.0.1:${String(port)}`)
        .replace("0.0.0.0:7422", `127.0.0.1:${String(leafPort)}`),
  });
  const link = await openWire([{ host: hub.host, port: leafPort }], randomOf(0, "leaf"));
  execFileSync("sh", [MAKE_SECRETS, secrets, link.url.replace("nats://", "")]);
  const leaf = await layServer({
    program,
    folder: home("leaf", "leaf-secrets.conf"),
    name: "leaf",
    files: ["leaf.conf"],
    edit: (text, port) => text.replace("127.0.0.1:4222", `127.0.0.1:${String(port)}`),
  });
  return {
    name: "leaf",
    servers: [hub, leaf],
    addressesOf: (seat) => [seat === "child" ? leaf : hub],
    way: ["lead"],
    spares: [],
    provisionArgs: [],
    leafLink: link,
    cluster: null,
    url: () => `nats://127.0.0.1:${String(hub.port)}`,
    start: async () => {
      await hub.start();
      await leaf.start();
    },
    [Symbol.asyncDispose]: async () => {
      await leaf.kill();
      await hub.kill();
      await link[Symbol.asyncDispose]();
    },
  };
};

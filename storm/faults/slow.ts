import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { TOKEN_USER } from "../../src/bus/credentials.ts";
import { sessionToken } from "../../src/bus/tokens.ts";
import { CHILDREN, LEAD, type Scene } from "../scene.ts";
import type { StormFault } from "./fault.ts";

const PREFIX = "af.v1.default";
const CHUNK_BYTES = 64 * 1024;
/** More than a server holds for one client. */
const FLOOD_BYTES = 96 * 1024 * 1024;
const NOTICE_MS = 14_000;

/**
 * A program that reads too slowly while much comes: its server gives it up as a slow consumer. Counted when the
 * server says so.
 */
export const SLOW: StormFault = {
  name: "slow",
  strike: async ({ scene, random, fired, pause }) => {
    const place = random.between(0, CHILDREN.length);
    const node = scene.children[place] ?? scene.lead;
    const subject =
      node === scene.lead
        ? `${PREFIX}.up.${LEAD}.nobody`
        : `${PREFIX}.dec.nobody.${sessionToken(node.name)}.nothing`;
    const before = slowConsumers(scene);
    node.wire.silence(["down"]);
    const deadline = performance.now() + NOTICE_MS;
    await flood(scene, subject, deadline);
    while (slowConsumers(scene) === before && performance.now() < deadline) await pause(50, 100);
    if (slowConsumers(scene) > before) fired(`the server gave up ${node.name} as a slow consumer`);
    node.wire.heal();
    await pause(300, 900);
  },
};

function slowConsumers({ topology }: Scene): number {
  const logs = topology.servers.map((server) => server.log());
  return logs.join("").split("Slow Consumer").length - 1;
}

/** Its own server may be struck meanwhile: it ends by the deadline, however much was sent. */
async function flood(scene: Scene, subject: string, deadline: number): Promise<void> {
  const pass = readFileSync(join(scene.folder, "secrets", "token"), "utf8").trim();
  const url = new URL(scene.topology.url());
  const socket = connect(Number(url.port), url.hostname);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  const timer = setTimeout(() => socket.destroy(), Math.max(0, deadline - performance.now()));
  socket.on("error", () => undefined);
  socket.resume();
  const options = JSON.stringify({ user: TOKEN_USER, pass, verbose: false, pedantic: false });
  await write(socket, Buffer.from(`CONNECT ${options}\r\n`));
  const head = `PUB ${subject} ${String(CHUNK_BYTES)}\r\n`;
  const message = Buffer.concat([
    Buffer.from(head),
    Buffer.alloc(CHUNK_BYTES, 120),
    Buffer.from("\r\n"),
  ]);
  for (let sent = 0; sent < FLOOD_BYTES && !socket.destroyed; sent += CHUNK_BYTES) {
    await write(socket, message);
  }
  socket.end();
  await closed;
  clearTimeout(timer);
}

async function write(socket: Socket, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    socket.write(bytes, () => resolve());
  });
}

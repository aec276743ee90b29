import { connect, createServer, type Socket } from "node:net";
import type { Random } from "../random.ts";
import { frameCutter } from "./frames.ts";

/** Which way bytes go: `up` to the server, `down` to the program. */
export type Way = "up" | "down";

/** What is done to messages while it rains: how likely each is hit, and how long at most it is held, in milliseconds. */
export interface Mischief {
  readonly what: "double" | "hold";
  readonly chance: number;
  readonly mostMs: number;
}

/** The link of one program to its server. */
export interface Wire extends AsyncDisposable {
  readonly url: string;
  /** Ends every connection; new ones are taken. */
  cut(): void;
  /** Takes bytes no further one way or both: nothing is closed, and what is held arrives later. */
  silence(ways: readonly Way[]): void;
  /** Lets everything through again. */
  heal(): void;
  /** Doubles messages, or holds them back so that others overtake; null ends it. */
  mischief(of: Mischief | null): void;
  /** Messages that were doubled or held so far. */
  hit(): number;
}

interface Pipe {
  readonly from: Socket;
  readonly way: Way;
}

/** Where a server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const DIAL_MS = 1_000;

/** Opens a link to the first of some servers that answers. */
export async function openWire(
  to: readonly [Address, ...Address[]],
  random: Random,
): Promise<Wire> {
  const pipes = new Set<Pipe>();
  let silent: ReadonlySet<Way> = new Set();
  let rain: Mischief | null = null;
  let hits = 0;

  const carry = (bytes: Buffer, out: Socket, held: boolean): void => {
    const write = (): void => {
      if (out.writable) out.write(bytes);
    };
    if (!held || rain === null || random.next() >= rain.chance) return write();
    hits += 1;
    if (rain.what === "double") write();
    setTimeout(write, random.between(0, rain.mostMs));
  };
  const join = (from: Socket, out: Socket, way: Way): void => {
    const cutter = frameCutter();
    const pipe = { from, way };
    pipes.add(pipe);
    from.on("data", (chunk) => {
      for (const { bytes, message } of cutter(chunk)) carry(bytes, out, message);
    });
    from.on("error", () => null);
    from.on("close", () => {
      pipes.delete(pipe);
      out.destroy();
    });
    if (silent.has(way)) from.pause();
  };
  const server = createServer((client) => {
    client.setNoDelay(true);
    client.on("error", () => null);
    client.pause();
    void dialFirst(to).then((upstream) => {
      if (upstream === null || client.destroyed) {
        upstream?.destroy();
        client.destroy();
        return;
      }
      join(client, upstream, "up");
      join(upstream, client, "down");
      apply();
    });
  });
  const apply = (): void => {
    for (const { from, way } of pipes) {
      if (silent.has(way)) from.pause();
      else from.resume();
    }
  };
  const cut = (): void => {
    for (const { from } of pipes) from.destroy();
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    url: `nats://127.0.0.1:${String(port)}`,
    cut,
    silence: (ways) => {
      silent = new Set(ways);
      apply();
    },
    heal: () => {
      silent = new Set();
      apply();
    },
    mischief: (of) => {
      rain = of;
    },
    hit: () => hits,
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function dialFirst(to: readonly Address[]): Promise<Socket | null> {
  for (const { host, port } of to) {
    const socket = connect({ port, host, noDelay: true });
    const open = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), DIAL_MS);
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => clearTimeout(timer));
    });
    socket.pause();
    if (open) return socket;
    socket.destroy();
  }
  return null;
}

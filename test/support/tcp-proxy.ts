import { connect, createServer, type Socket } from "node:net";

/** A wire between a client and a server that can be cut, held and slowed. */
export interface TcpProxy extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** Client connections that are open now. */
  open(): number;
  /** Client connections that were ended because of `refuse`. */
  refused(): number;
  /** Ends every connection; new ones are taken. */
  cut(): void;
  /** Takes connections and bytes no further: packets vanish, nothing is closed. */
  stall(): void;
  /** Lets bytes through again, those held back too. */
  resume(): void;
  /** Ends every connection; takes new ones, swallows what comes and says nothing. */
  mute(): void;
  /** Holds every chunk back for this long. */
  delay(ms: number): void;
  /** Ends every connection and takes no new ones, until `accept`. */
  refuse(): void;
  accept(): void;
}

/** Starts a wire to a port of the loopback. */
export async function startProxy(targetPort: number): Promise<TcpProxy> {
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  let stalled = false;
  let refusing = false;
  let muted = false;
  let refused = 0;
  let delayMs = 0;

  const join = (from: Socket, to: Socket): void => {
    from.on("data", (chunk) => {
      if (delayMs === 0) to.write(chunk);
      else setTimeout(() => to.write(chunk), delayMs);
    });
    from.on("error", () => null);
    from.on("close", () => {
      sockets.delete(from);
      clients.delete(from);
      to.destroy();
    });
    sockets.add(from);
    if (stalled) from.pause();
  };
  const swallow = (client: Socket): void => {
    client.on("error", () => null);
    client.on("close", () => clients.delete(client));
    client.resume();
  };
  const server = createServer((client) => {
    if (refusing) {
      refused += 1;
      client.destroy();
      return;
    }
    clients.add(client);
    if (muted) {
      swallow(client);
      return;
    }
    const upstream = connect(targetPort, "127.0.0.1");
    join(client, upstream);
    join(upstream, client);
  });
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const hold = (value: boolean): void => {
    stalled = value;
    for (const socket of sockets) {
      if (value) socket.pause();
      else socket.resume();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    port,
    url: `nats://127.0.0.1:${String(port)}`,
    open: () => clients.size,
    refused: () => refused,
    cut,
    stall: () => {
      hold(true);
    },
    resume: () => {
      hold(false);
    },
    mute: () => {
      muted = true;
      cut();
    },
    delay: (ms) => {
      delayMs = ms;
    },
    refuse: () => {
      refusing = true;
      cut();
    },
    accept: () => {
      refusing = false;
    },
    [Symbol.asyncDispose]: async () => {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

import { createServer } from "node:net";

const LOOPBACK = "127.0.0.1";

/** A port of the loopback that nobody listens on right now. */
export async function freePort(): Promise<number> {
  return (await listenOnce(0)) ?? 0;
}

/** Says whether the port of the loopback can be listened on. */
export async function isPortFree(port: number): Promise<boolean> {
  return (await listenOnce(port)) !== null;
}

async function listenOnce(port: number): Promise<number | null> {
  const result = Promise.withResolvers<number | null>();
  const server = createServer();
  server.once("error", () => {
    result.resolve(null);
  });
  server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
    const address = server.address();
    server.close(() => {
      result.resolve(typeof address === "object" && address ? address.port : null);
    });
  });
  return result.promise;
}

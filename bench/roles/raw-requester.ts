import { readConnectOptions } from "../../src/bus/connect-options.ts";
import { startConnection } from "../../src/bus/start-connection.ts";
import { type Load, putLoad } from "../frame/load.ts";
import { serveRole } from "../frame/serve-role.ts";
import { ASK_BYTES } from "../frame/the-ask.ts";

/** The client library's own `request()`, with the connection options of the product. */
await serveRole(async ({ url }: { url: string }) => {
  const settings = readConnectOptions({ servers: url, session: "raw-requester" });
  const { connection } = await startConnection(settings);
  const body = new Uint8Array(ASK_BYTES).fill(97);
  const one = async (): Promise<void> => {
    await connection.request("raw.request", body, { timeout: 10_000 });
  };
  return { put: async (load: Load) => putLoad(load, one) };
});

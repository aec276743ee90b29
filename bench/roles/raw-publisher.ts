import { randomBytes } from "node:crypto";
import { headers as newHeaders } from "@nats-io/transport-node";
import { type ConnectOptions, readConnectOptions } from "../../src/bus/connect-options.ts";
import { startConnection } from "../../src/bus/start-connection.ts";
import { serveRole } from "../frame/serve-role.ts";

const WINDOW = 256;
const BODY = new Uint8Array(450).fill(97);
const HEADER = "a".repeat(414);

/** The client library's own publish into a stream, 256 messages on their way at a time, read from nowhere. */
await serveRole(async ({ url, ...shown }: { url: string } & Pick<ConnectOptions, "token">) => {
  const settings = readConnectOptions({ servers: url, session: "raw-publisher", ...shown });
  const { connection } = await startConnection(settings);
  const reply = `${settings.prefix}.inbox.raw-publisher.out.raw.1`;
  let taken = (): void => undefined;
  connection.subscribe(reply, { callback: () => taken() });
  await connection.flush();
  return {
    put: async ({ count }: { count: number }) =>
      new Promise<number>((resolve) => {
        let sent = 0;
        let left = count;
        const send = (): void => {
          if (sent === count) return;
          sent += 1;
          const headers = newHeaders();
          headers.set("Nats-Msg-Id", randomBytes(16).toString("hex"));
          headers.set("Af-Record", HEADER);
          connection.publish(`${settings.prefix}.audit.raw.review`, BODY, { headers, reply });
        };
        const begun = performance.now();
        taken = () => {
          left -= 1;
          if (left === 0) resolve(count / ((performance.now() - begun) / 1000));
          else send();
        };
        for (let k = 0; k < WINDOW; k += 1) send();
      }),
  };
});

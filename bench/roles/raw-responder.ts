import { readConnectOptions } from "../../src/bus/connect-options.ts";
import { startConnection } from "../../src/bus/start-connection.ts";
import { serveRole } from "../frame/serve-role.ts";
import { ANSWER_BYTES } from "../frame/the-ask.ts";

/** Answers each request at once, without looking into it. */
await serveRole(async ({ url }: { url: string }) => {
  const settings = readConnectOptions({ servers: url, session: "raw-responder" });
  const { connection } = await startConnection(settings);
  const body = new Uint8Array(ANSWER_BYTES).fill(97);
  connection.subscribe("raw.request", {
    callback: (error, message) => {
      if (error === null) message.respond(body);
    },
  });
  await connection.flush();
  return {};
});

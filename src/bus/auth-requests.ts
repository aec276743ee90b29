import type { Log } from "../ask/ports.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { openPort } from "./open-port.ts";

/** Where a server asks who a connection is. */
const AUTH_SUBJECT = "$SYS.REQ.USER.AUTH";

/** Services that answer as one: each question goes to one of them. */
const QUEUE = "askfabric-auth";

/** Answers a server's questions for as long as it is open. */
export interface AuthService extends AsyncDisposable {
  /** Resolves when the connection is closed for good. */
  readonly closed: Promise<Error | null>;
}

/**
 * Answers a server that asks who a connection is. `answer` gives the text of the answer, or null for a question that
 * gets none. What it throws is logged, and the server refuses the connection when its time is over.
 *
 * @throws {@link BusError} as `connect` does.
 */
export async function serveAuthRequests(
  options: ConnectOptions,
  { answer, log }: { answer: (question: string) => Promise<string | null>; log: Log },
): Promise<AuthService> {
  const { connection, port, [Symbol.asyncDispose]: close } = await openPort(options);
  connection.subscribe(AUTH_SUBJECT, {
    queue: QUEUE,
    callback: (_error, message) => {
      answer(message.string())
        .then((text) => {
          if (text !== null) message.respond(text);
        })
        .catch((error: unknown) => {
          log.error({ err: error }, "a server's question who a connection is got no answer");
        });
    },
  });
  await port.flush(5_000);
  return { closed: port.closed, [Symbol.asyncDispose]: close };
}

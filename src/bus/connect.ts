import type { Bus } from "./bus.ts";
import type { ConnectOptions } from "./connect-options.ts";
import { openPort } from "./open-port.ts";

/**
 * Connects to NATS. Once it stands, the connection is kept up for good: it reconnects by itself and its port
 * tells what happens.
 *
 * @throws {@link BusError} `bus_bad_option`, all faults together, before anything is dialled;
 * `bus_auth_refused` when a server refused the credentials twice in a row; `bus_start_timeout` when none
 * took the connection within `startTimeoutMs`. Throws the signal's reason when it is aborted.
 */
export async function connect(options: ConnectOptions): Promise<Bus> {
  const { port, settings, [Symbol.asyncDispose]: close } = await openPort(options);
  const { prefix, signatures } = settings;
  return { port, prefix, signatures, [Symbol.asyncDispose]: close };
}

import type { Log } from "../ask/ports.ts";
import type { BusPort } from "../bus/port.ts";

/** Whether a sink reaches its server. */
export interface SinkLink extends Disposable {
  /** Why it does not; null while it does. */
  why(): string | null;
}

/** Follows the link of a sink, and says once when it is lost, when it is refused, and when it stands again. */
export function watchSinkLink(port: Pick<BusPort, "onEvent">, log: Log): SinkLink {
  let why: string | null = null;
  const tell = (next: string): void => {
    if (why !== next) log.warn({}, next);
    why = next;
  };
  const unlisten = port.onEvent((event) => {
    if (event.kind === "auth_refused") {
      return tell(
        `the server lets this sink in no more (${event.text}): renew its secret or credentials; records wait in the stream, and it tries again by itself`,
      );
    }
    if (event.kind === "disconnected") {
      return tell(
        `the link to ${event.server} is lost: records wait in the stream, and it is made anew by itself`,
      );
    }
    if (event.kind !== "reconnected") return;
    if (why !== null) log.info({ server: event.server }, "the link stands again");
    why = null;
  });
  return { why: () => why, [Symbol.dispose]: unlisten };
}

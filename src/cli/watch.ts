import { watchEvents } from "../bus/event-watch.ts";
import { sessionToken } from "../bus/tokens.ts";
import { column, fit, stamp } from "./audit-text.ts";
import { CommandError, EXIT } from "./failure.ts";
import type { CommonFlags } from "./flags.ts";
import { type Io, isStoppedInOrder, printLine, untilStopped } from "./io.ts";
import type { EventLine } from "./lines.ts";
import { connectBus, prepare } from "./prepare.ts";

/** Flags of `watch`. */
export interface WatchFlags extends CommonFlags {
  readonly session?: string;
  readonly kind?: string;
  readonly json?: boolean;
  readonly width: number;
}

/** Shows live events as they are published, until it is stopped. */
export async function runWatch(flags: WatchFlags, io: Io): Promise<number> {
  const prepared = await prepare(flags, io, "warn");
  await using bus = await connectBus(flags, io, { ...prepared, session: "observer" });
  const only = flags.session ? sessionToken(flags.session) : null;
  const watch = watchEvents(
    bus,
    ({ session, sessionToken: token, kind, body }) => {
      if ((only !== null && token !== only) || (flags.kind && kind !== flags.kind)) return;
      show({ heardAt: io.clock.now(), session, kind, body }, flags, io);
    },
    prepared.log,
  );
  const closed = bus.port.closed;
  await Promise.race([untilStopped(io.stop), closed]);
  watch.close();
  await prepared.log.flush();
  if (io.stop.aborted && isStoppedInOrder(io)) return EXIT.ok;
  if (io.stop.aborted) return EXIT.usage;
  throw new CommandError(
    `the connection to NATS is closed for good (${(await closed)?.message ?? "no reason given"}); start this program again`,
  );
}

function show(event: EventLine["event"], { json, width }: WatchFlags, io: Io): void {
  if (json === true) return printLine(io, { event } satisfies EventLine);
  const { heardAt, session, kind, body } = event;
  const about = ["result", "resolution", "surface", "value", "requestId"]
    .map((key) => body[key])
    .filter((value) => typeof value === "string")
    .join("  ");
  const line = `${stamp(heardAt)}  ${column(session, 16)}  ${column(kind, 9)}  ${about}`;
  io.write(`${fit(line, width)}\n`);
}

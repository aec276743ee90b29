import { WATCHED_KINDS, watchEvents } from "../bus/event-watch.ts";
import { sessionToken } from "../bus/tokens.ts";
import { column, filled, stamp, wholeLine } from "./audit-text.ts";
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
  const kind = kindOf(flags.kind);
  const prepared = await prepare(flags, io, "warn");
  await using bus = await connectBus(flags, io, {
    ...prepared,
    session: "observer",
    isStandIn: true,
  });
  const only = flags.session ? sessionToken(flags.session) : null;
  const watch = watchEvents(
    bus,
    ({ session, sessionToken: token, kind: of, body }) => {
      if ((only !== null && token !== only) || (kind !== null && of !== kind)) return;
      show({ heardAt: io.clock.now(), session, kind: of, body }, flags, io);
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

/** A kind that no session publishes would be waited for in vain. */
function kindOf(given: string | undefined): string | null {
  if (!given) return null;
  const known = WATCHED_KINDS.find((kind) => kind === given);
  if (known !== undefined) return known;
  throw new CommandError(
    `--kind ${JSON.stringify(given)} is none; use ${WATCHED_KINDS.join(", ")}`,
  );
}

function show(event: EventLine["event"], { json, width }: WatchFlags, io: Io): void {
  if (json === true) return printLine(io, { event } satisfies EventLine);
  const { heardAt, session, kind, body } = event;
  const text = (key: string): string => (typeof body[key] === "string" ? body[key] : "");
  const what = [text("surface"), text("value")].filter(Boolean).join(": ");
  const parts = kind === "decision" ? [endOf(text("result"), text("resolution")), what] : [what];
  const head = `${stamp(heardAt).slice(11, 23)}  ${filled(session, 14)}  ${column(WORDS[kind] ?? kind, 6)}`;
  io.write(wholeLine(`${head}  ${parts.filter(Boolean).join("  ")}`, width));
}

const WORDS: Readonly<Partial<Record<string, string>>> = { decision: "ended", ui_prompt: "shown" };

/** How an ask ended in two words or three. One that nobody ruled on was not denied by anybody. */
function endOf(result: string, resolution: string): string {
  if (resolution === "confirmation_unavailable" || resolution === "gate_error") {
    return `lost (${resolution.replaceAll("_", " ")})`;
  }
  return `${result} (${resolution.replaceAll("_", " ").replace(/^(policy|user) .*/, "$1")})`;
}

import type { Presence } from "../../ask/messages.ts";
import { HEARTBEAT_MS } from "../../ask/presence.ts";
import { wholeLine } from "../audit-text.ts";
import { CommandError, EXIT } from "../failure.ts";
import { type Io, isStoppedInOrder, printLine } from "../io.ts";
import type { GoneLine, PendingAsk } from "./lines.ts";
import {
  during,
  keepNewest,
  type OperatorFlags,
  type OperatorTools,
  openOperator,
} from "./open-operator.ts";
import { openAsksOf, printPending } from "./pending-list.ts";

/** The open asks of one session as they were told last, by id. */
type Told = ReadonlyMap<string, { readonly ask: PendingAsk; readonly where: string }>;

/** Tells of asks as they come, move and go, until it is stopped. */
export async function runWatchPending(flags: OperatorFlags, io: Io): Promise<number> {
  await using tools = await openOperator(flags, io);
  const heard = new Map<string, Presence>();
  const unhear = tools.line.hearSessions((presence) => keepNewest(heard, presence));
  const told = new Map<string, Told>();
  const closed = new AbortController();
  void tools.closed.then(() => closed.abort());
  const over = AbortSignal.any([io.stop, closed.signal]);
  try {
    while (!over.aborted) {
      const sessions = flags.session ? [flags.session] : concerned(heard, told);
      await Promise.all(sessions.map(async (session) => look(session, { tools, told, flags, io })));
      await during(HEARTBEAT_MS, over);
    }
  } finally {
    unhear();
  }
  if (io.stop.aborted) return isStoppedInOrder(io) ? EXIT.ok : EXIT.usage;
  throw new CommandError(
    "the connection to NATS is closed for good; look at the credential and start this program again",
  );
}

/** Sessions that say that something is open, and those of which something was told. */
function concerned(
  heard: ReadonlyMap<string, Presence>,
  told: ReadonlyMap<string, Told>,
): readonly string[] {
  return [...heard.values()]
    .filter(({ session, serving, openAsks }) => {
      return serving && (openAsks > 0 || (told.get(session)?.size ?? 0) > 0);
    })
    .map(({ session }) => session);
}

interface Looking {
  readonly tools: OperatorTools;
  readonly told: Map<string, Told>;
  readonly flags: OperatorFlags;
  readonly io: Io;
}

/** What a session does not answer is asked again in the next second. */
async function look(session: string, { tools, told, flags, io }: Looking): Promise<void> {
  const open = await openAsksOf(tools.line, session);
  if ("op" in open || io.stop.aborted) return;
  const before = told.get(session);
  const now = new Map(
    open.map((head) => {
      const ask: PendingAsk = { session, ...head };
      const { state, heldBy, childGone } = head;
      return [head.requestId, { ask, where: JSON.stringify([state, heldBy, childGone]) }] as const;
    }),
  );
  for (const requestId of before?.keys() ?? []) {
    if (!now.has(requestId)) printGone({ session, requestId }, flags, io);
  }
  for (const [requestId, { ask, where }] of now) {
    if (before?.get(requestId)?.where !== where) printPending(ask, flags, io);
  }
  told.set(session, now);
}

function printGone(gone: GoneLine["gone"], flags: OperatorFlags, io: Io): void {
  if (flags.json === true) printLine(io, { gone } satisfies GoneLine);
  else io.write(wholeLine(`${gone.requestId}  ${gone.session}  is open no longer`, flags.width));
}

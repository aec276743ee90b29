import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";
import type { HeldBy } from "../ask/messages.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { PassedAsk, Upstream } from "../ask/upstream.ts";
import type { Bus } from "../bus/bus.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Journal, JournalWrites } from "../journal/journal.ts";
import { type Asking, openAsking } from "./asking.ts";
import { drafterOf } from "./drafter.ts";
import { endOutlived } from "./outlived.ts";
import { passOn } from "./pass-on.ts";
import { quietLog } from "./quiet-log.ts";
import { reachOf } from "./reach.ts";
import type { RecordSite } from "./records.ts";
import { sealFitting } from "./seal-fitting.ts";

/** What the way up of a session is opened with. */
export interface UpstreamOptions {
  readonly bus: Bus;
  readonly session: string;
  /** The session that is asked; never the session itself. */
  readonly parent: string;
  /** The journal of the session, which it also serves on. */
  readonly journal: Journal;
  /** @defaultValue "unknown" */
  readonly agentName?: string;
  /** How long 503 alone is borne before any `accepted`, in milliseconds. @defaultValue 2000 */
  readonly unservedGraceMs?: number;
  /** Longest text field of a record, in characters. @defaultValue 1000 */
  readonly reviewLogFieldMaxWidth?: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the way up: asks of other sessions are put to the parent of this one. */
export function openUpstream(options: UpstreamOptions): Upstream<JournalWrites> {
  const { session, parent, journal, clock } = options;
  const log = quietLog(options.log);
  const agentName = options.agentName ?? null;
  const records: RecordSite = {
    draft: drafterOf(options.reviewLogFieldMaxWidth),
    agentName,
    toolCallId: null,
  };
  const graceMs = Math.min(options.unservedGraceMs ?? 2_000, MAX_ASK_LIFE_MS);
  const asking = openAsking({ ...options, parents: [parent], log, graceMs });
  const open = new Map<RequestId, Watched>();
  const parts = {
    session,
    parent,
    agentName,
    asks: asking.asks,
    cancels: asking.cancels,
    journal,
    seal: (ask: PassedAsk<never>["ask"]) => sealFitting(asking.line, ask),
    records,
    severed: () => asking.link.severed(),
    clock,
    log,
  };

  return Object.freeze<Upstream<JournalWrites>>({
    session: parent,
    pass: (asked) => {
      const { id } = asked.ask;
      const watched: Watched = { moved: asked.moved, gone: false };
      const passing = passOn(parts, {
        ...asked,
        concluded: (answer, kept) => {
          forget(open, id, watched);
          asked.concluded(answer, kept);
        },
      });
      return {
        ...passing,
        send: () => {
          open.set(id, watched);
          passing.send();
        },
        takeBack: (why) => {
          forget(open, id, watched);
          passing.takeBack(why);
        },
      };
    },
    unheard: (requestIds) => asking.announcer.setUnheard(requestIds),
    receipted: (requestId, effect) => {
      const row = journal.read.childAsk(requestId);
      const decisionDigest = row?.end?.decisionDigest ?? null;
      if (row?.passedOn !== true || decisionDigest === null) return;
      const receipt = { requestId, decisionDigest, effect };
      asking.line.publishReceipt(sessionToken(row.parent), receipt);
    },
    tidy: () => {
      tellGone(asking, { open, parent, now: clock.monotonic() });
      for (const cancel of endOutlived({ journal, records, clock })) asking.cancels.add(cancel);
    },
    close: async () => {
      asking.close();
      return Promise.resolve();
    },
  });
}

interface Watched {
  readonly moved: (heldBy: HeldBy, ahead: number) => void;
  /** Whether it was told that the parent is gone. */
  gone: boolean;
}

function forget(open: Map<RequestId, Watched>, requestId: RequestId, watched: Watched): void {
  if (open.get(requestId) === watched) open.delete(requestId);
}

/** Says of every ask that waits above when the parent goes and when it is back. */
function tellGone(
  { asks, link }: Pick<Asking, "asks" | "link">,
  known: { readonly open: Map<RequestId, Watched>; readonly parent: string; readonly now: number },
): void {
  const { open, parent, now } = known;
  for (const { ask, status } of asks.open()) {
    const watched = open.get(ask.sealed.ask.id);
    if (watched === undefined) continue;
    const gone =
      status.state === "accepted" && reachOf(status, link.sign(parent), now).goneSince !== null;
    if (gone === watched.gone) continue;
    watched.gone = gone;
    watched.moved({ kind: gone ? "gone" : "session", sessionId: parent }, 0);
  }
}

import { MAX_HOPS } from "../ask/ask.ts";
import { effectiveDecider } from "../ask/decision.ts";
import type { CancelReason } from "../ask/messages.ts";
import type { PassedAsk, UpstreamAnswer } from "../ask/upstream.ts";
import { capVerdict } from "../chain/envelope.ts";
import type { JournalWrites, ServedAskEnd } from "../journal/journal.ts";
import { concludeLive, writeEnding } from "./end-ask.ts";
import type { Ending } from "./ending.ts";
import { endingByRuling } from "./ending-by-ruling.ts";
import { guarded } from "./guarded.ts";
import { gateError, soundRuling } from "./ruling.ts";
import { sendProgress } from "./send.ts";
import type { LiveAsk, Serving } from "./serving.ts";
import { type Settlement, settle } from "./stages.ts";

/** Leaves the links to the node that decides. */
export async function leaveChain(serving: Serving, live: LiveAsk): Promise<null> {
  if (live.state === "relayed") serving.chain.delegate(live);
  return Promise.resolve(null);
}

/** Puts an ask to this session's own parent, which ends it by what was given to {@link passedAsk}. */
export async function askUpstream(serving: Serving, live: LiveAsk): Promise<null> {
  const { passing } = live;
  if (passing !== null && live.state === "relayed") {
    const { signal } = live.abort;
    signal.addEventListener("abort", () => {
      guarded(serving, "taking back what was passed on", () => {
        passing.takeBack(whyOf(signal.reason));
      });
    });
    passing.send();
  }
  return Promise.resolve(null);
}

/** Null: this process stops, and the next one goes on with it. */
function whyOf(ended: unknown): CancelReason | null {
  if (ended === "stopped") return null;
  return ended === "timed_out" ? ended : "aborted";
}

/**
 * An ask as it is left to this session's own parent. What is decided there becomes this session's answer in the very
 * transaction in which it is taken from above: no kill leaves one without the other.
 */
export function passedAsk(serving: Serving, live: LiveAsk): PassedAsk<JournalWrites> {
  const { ask } = live;
  let written: { readonly ending: Ending; readonly standing: ServedAskEnd | null } | null = null;
  const isOpen = (): boolean => serving.live.get(live.requestId) === live;
  return {
    ask,
    agentName: serving.roster.get(ask.requesterSessionId) ?? ask.requesterAgentName,
    deadlineAt: live.deadlineAt,
    ended: (tx, answer) => {
      const ending = endingByRuling(serving, live, settlementOf(serving, live, answer));
      const standing = writeEnding(serving, tx, live.requestId, ending);
      written = { ending, standing };
      return standing === null;
    },
    concluded: (answer, kept) => {
      if (!isOpen()) return;
      guarded(serving, "answering what came from above", () => {
        if (!kept || written === null) {
          settle(serving, live, settlementOf(serving, live, answer));
          return;
        }
        const { ending, standing } = written;
        const ended =
          standing === null
            ? ({ kind: "stands" } as const)
            : ({ kind: "another", end: standing } as const);
        concludeLive(serving, live, ending, ended);
      });
    },
    moved: (heldBy, ahead) => {
      if (!isOpen()) return;
      // Somebody takes time over it: what its row has need not be in memory.
      live.rest();
      live.heldBy = heldBy;
      guarded(serving, "telling where an ask is", () => sendProgress(serving, live, ahead));
    },
  };
}

/** What came from above, as this session says it: its own envelope holds against links of others too. */
function settlementOf(serving: Serving, live: LiveAsk, answer: UpstreamAnswer): Settlement {
  const via = [serving.session, ...answer.via.slice(0, MAX_HOPS)];
  const ruling = soundRuling(answer.ruling);
  if (ruling === null) {
    const what = "the answer that was passed on contradicts itself";
    return { ruling: gateError(serving, live, { what, error: null }), scope: "once" };
  }
  if (ruling.approved && effectiveDecider(ruling.decidedBy).kind === "authorizer") {
    if (capVerdict("allow", live.details) !== "allow") {
      const what = "a link of another session allowed what no link may allow";
      return { ruling: gateError(serving, live, { what, error: null }), scope: "once", via };
    }
  }
  // A grant for the session that asked is kept there: this one passes it on.
  const scope = ruling.state === "approved_for_session" ? "child_session" : "once";
  return { ruling, scope, via };
}

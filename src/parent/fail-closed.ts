import { answerUnheld } from "./answer-unheld.ts";
import { endLive, refuseAtOnce, release } from "./end-ask.ts";
import { endingByRuling } from "./ending-by-ruling.ts";
import { guarded } from "./guarded.ts";
import { gateError } from "./ruling.ts";
import type { Arrival, LiveAsk, ReceivedAsk, Serving } from "./serving.ts";

const WHAT = "the parent failed while it decided";

/** The edge of this role: whatever was thrown, the child hears a refusal that says so. Never throws. */
export function failClosed(serving: Serving, { received }: Arrival, error: unknown): void {
  const live = serving.live.get(received.ask.id);
  if (live !== undefined) {
    failHeld(serving, live, error);
    return;
  }
  closing(serving, received, () => {
    const answer = rulingOf(serving, received, error);
    const of = { ask: received.ask, askDigest: received.askDigest, details: null };
    answerUnheld(serving, received, endingByRuling(serving, of, answer));
  });
}

/** The same for an ask that was taken into this node's care. */
export function failHeld(serving: Serving, live: LiveAsk, error: unknown): void {
  closing(serving, live, () => {
    endLive(serving, live, endingByRuling(serving, live, rulingOf(serving, live, error)));
  });
}

function rulingOf(
  serving: Serving,
  asked: Pick<LiveAsk, "ask">,
  error: unknown,
): Parameters<typeof endingByRuling>[2] {
  return { ruling: gateError(serving, asked, { what: WHAT, error }), scope: "once" };
}

/** Where not even the failure can be kept, its child is told without a record. */
function closing(
  serving: Serving,
  asked: Pick<ReceivedAsk, "ask" | "childToken" | "askDigest">,
  end: () => void,
): void {
  try {
    end();
  } catch (again) {
    serving.log.error({ err: again }, "a failure could not be kept");
    guarded(serving, "the last refusal", () => {
      const { ask } = asked;
      const live = serving.live.get(ask.id);
      if (live !== undefined) release(serving, live, "gate_error");
      refuseAtOnce(serving, asked, "gate_error", WHAT);
    });
  }
}

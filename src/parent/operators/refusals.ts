import type { ControlRefused } from "../../ask/control.ts";
import type { ControlInbound } from "../../bus/control-line.ts";
import { plainEntry } from "../records.ts";
import type { Serving } from "../serving.ts";

/** Most refusals that are recorded one by one in a second; more are counted in the next one. */
const MOST_IN_A_SECOND = 20;

const SECOND_MS = 1_000;

/** Records what operators were refused, bounded so that a flood fills no disk. */
export function noteRefusals(serving: Serving): {
  note(inbound: ControlInbound, refused: ControlRefused): void;
} {
  let since = Number.NEGATIVE_INFINITY;
  let inSecond = 0;
  let omitted = 0;

  return {
    note: (inbound, { why }) => {
      serving.counters.count("operator_refused");
      const now = serving.clock.monotonic();
      if (now - since >= SECOND_MS) {
        since = now;
        inSecond = 0;
      }
      inSecond += 1;
      if (inSecond > MOST_IN_A_SECOND) {
        omitted += 1;
        return;
      }
      const { operator, op } = inbound;
      const missed = omitted > 0 ? { omitted } : {};
      omitted = 0;
      const about = aboutOf(inbound);
      const known = "requestId" in about && serving.read.servedAsk(about.requestId) !== null;
      const id = known ? about.requestId : null;
      const named = known ? {} : about;
      serving.ledger.soon((tx) => {
        const fields = { operator, op, why, ...named, ...missed };
        tx.record(plainEntry(serving.draft, "operator.refused", id, fields), serving.clock.now());
      });
      serving.log.warn({ operator, op, why }, "an operator was refused");
    },
  };
}

function aboutOf({ read }: ControlInbound): { requestId: string } | { grantId: string } | object {
  if (!read.ok) return {};
  const { wants } = read.request;
  if ("requestId" in wants) return { requestId: wants.requestId };
  return "grantId" in wants ? { grantId: wants.grantId } : {};
}

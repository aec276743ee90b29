import type { ParentInbound } from "../bus/lines.ts";
import { JournalError } from "../journal/journal.ts";
import { refuseAtOnce } from "./end-ask.ts";
import { takenOverBy } from "./presence.ts";
import { receiveAsk } from "./receive-ask.ts";
import { receiveCancel, receiveMalformed, receiveReceipt } from "./receive-rest.ts";
import type { Serving } from "./serving.ts";

/**
 * Takes one message. Never throws: whatever fails, the next message is served, and an ask is refused rather than
 * left without an answer. `stop` is called when another process of the session has taken over.
 */
export function receive(
  serving: Serving,
  inbound: ParentInbound,
  stop: (reason: string) => void,
): void {
  try {
    take(serving, inbound, stop);
  } catch (error) {
    serving.counters.count("failed");
    serving.log.error({ err: error, kind: inbound.kind }, "a message could not be served");
    if (inbound.kind !== "ask") return;
    const lost = error instanceof JournalError ? "audit_unavailable" : "gate_error";
    refuseAtOnce(serving, inbound, lost, "the parent could not look it up");
  }
}

function take(serving: Serving, inbound: ParentInbound, stop: (reason: string) => void): void {
  if (concernsArrival(serving, inbound)) serving.arrivals.settle();
  if ("childToken" in inbound) {
    const { childToken } = inbound;
    if (inbound.kind === "child_presence") {
      serving.children.heard(childToken, inbound.message.unheard ?? []);
    } else serving.children.heard(childToken);
  }
  switch (inbound.kind) {
    case "ask":
      receiveAsk(serving, inbound);
      return;
    case "malformed_ask":
      receiveMalformed(serving, inbound);
      return;
    case "cancel":
      receiveCancel(serving, inbound.childToken, inbound.message);
      return;
    case "receipt":
      receiveReceipt(serving, inbound.childToken, inbound.message);
      return;
    case "own_presence": {
      const reason = takenOverBy(serving, inbound.message);
      if (reason !== null) stop(reason);
      return;
    }
    case "child_presence":
      return;
  }
}

/** A repeat or a cancel of what has just arrived finds it in this node's care. */
function concernsArrival({ arrivals }: Serving, inbound: ParentInbound): boolean {
  if (inbound.kind === "ask") return arrivals.has(inbound.ask.id);
  return inbound.kind === "cancel" && arrivals.has(inbound.message.requestId);
}

import type { ChildInbound } from "../bus/lines.ts";
import type { AskBook } from "./ask-book.ts";
import type { CancelQueue } from "./cancel-queue.ts";
import type { Receipts } from "./receipts.ts";

/** Who is told of what a child hears. */
export interface Hearers {
  readonly asks: Pick<AskBook, "feed">;
  readonly cancels: Pick<CancelQueue, "withdrawn">;
  readonly receipts: Receipts;
  readonly onPresence: (message: Extract<ChildInbound, { kind: "presence" }>["message"]) => void;
}

/** Hands one message to whom it concerns. What is about no open ask of this process concerns no ask. */
export function hear(hearers: Hearers, inbound: ChildInbound): void {
  const { asks } = hearers;
  switch (inbound.kind) {
    case "accepted":
    case "progress": {
      const { kind, message } = inbound;
      const { requestId, incarnation } = message;
      asks.feed(requestId, { kind, incarnation }, { accepted: message });
      return;
    }
    case "decision": {
      const { message, decisionDigest } = inbound;
      const { requestId, incarnation } = message;
      const event = { kind: "decision", incarnation, decisionDigest } as const;
      asks.feed(requestId, event, { decision: message });
      return;
    }
    case "refused":
    case "unproven_refused": {
      const { message } = inbound;
      const proven = inbound.kind === "refused";
      const event = { kind: "refused", lost: message.lost, proven } as const;
      asks.feed(message.requestId, event, { refused: message });
      return;
    }
    case "withdrawn":
      hearers.cancels.withdrawn(inbound.message.requestId, inbound.parentToken);
      asks.feed(inbound.message.requestId, { kind: "withdrawn" });
      return;
    case "unreadable":
    case "no_responders":
      asks.feed(inbound.requestId, { kind: inbound.kind });
      return;
    case "stray_decision":
      hearers.receipts.answer(inbound);
      return;
    case "presence":
      hearers.onPresence(inbound.message);
  }
}

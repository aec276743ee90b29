import type { AcceptedState, Decision, WithdrawnEffect } from "../ask/messages.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { ParentMessage } from "../bus/lines.ts";
import type { Answer } from "./answer-book.ts";
import type { LiveAsk, Serving } from "./serving.ts";

/** Where a message of this parent goes and the key that proves it; null: nobody here knows the key. */
export interface Recipient {
  readonly childToken: string;
  readonly requestId: RequestId;
  readonly nonce: string | null;
}

/** Sends one message once. What becomes of it is the connection's matter: everything here is repeated. */
export function send(serving: Serving, to: Recipient, message: ParentMessage): void {
  serving.line.send(to, serving.line.encode(message));
}

/** Tells a child that its ask is in this node's care, and with whom. */
export function sendAccepted(serving: Serving, live: LiveAsk): void {
  send(serving, recipientOf(live), {
    kind: "accepted",
    message: {
      requestId: live.requestId,
      askDigest: live.askDigest,
      incarnation: serving.incarnation,
      state: acceptedState(live),
    },
  });
}

/**
 * Makes up for an `accepted` that may have been lost before a decision: a child that an earlier process
 * accepted is deaf to the process that decided until that one accepted too. It is named as the decision names
 * it, since the process that decided may be dead.
 */
export function sendAcceptedAgain(serving: Serving, answer: Answer): void {
  if (answer.kind !== "decision") return;
  const { requestId, askDigest } = answer;
  const { incarnation } = JSON.parse(answer.body) as Pick<Decision, "incarnation">;
  send(serving, answer, {
    kind: "accepted",
    message: { requestId, askDigest, incarnation, state: "human" },
  });
}

/** Tells a child who holds its ask now and how many are before it. */
export function sendProgress(serving: Serving, live: LiveAsk, ahead: number): void {
  send(serving, recipientOf(live), {
    kind: "progress",
    message: {
      requestId: live.requestId,
      askDigest: live.askDigest,
      incarnation: serving.incarnation,
      state: acceptedState(live),
      heldBy: live.heldBy,
      ahead,
    },
  });
}

/** Answers a cancel. */
export function sendWithdrawn(serving: Serving, to: Recipient, effect: WithdrawnEffect): void {
  send(serving, to, { kind: "withdrawn", message: { requestId: to.requestId, effect } });
}

function recipientOf(live: LiveAsk): Recipient {
  return { childToken: live.childToken, requestId: live.requestId, nonce: live.nonce };
}

function acceptedState(live: LiveAsk): AcceptedState {
  return live.state === "authorizer" || live.state === "relayed" ? live.state : "human";
}

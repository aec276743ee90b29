import { nextTimer, step } from "../../src/child/ask-machine.ts";
import {
  type AskEffect,
  type AskEvent,
  type AskState,
  type AskStatus,
  createdAsk,
} from "../../src/child/ask-status.ts";

/** Grace of the asks here, in milliseconds. */
export const GRACE = 2_000;
/** Life of the asks here, in milliseconds. */
export const LIFE = 600_000;

/** The row is durable and there is a connection. */
export const journalled: AskEvent = { kind: "journalled", connected: true };
/** A publish was handed to the connection. */
export const sent: AskEvent = { kind: "published", outcome: "sent" };
/** A publish met no connection. */
export const dropped: AskEvent = { kind: "published", outcome: "disconnected" };
/** The timer fired. */
export const timer: AskEvent = { kind: "timer" };
/** The server said 503. */
export const unserved: AskEvent = { kind: "no_responders" };
/** An incarnation accepted. */
export const acceptedBy = (incarnation: string): AskEvent => ({ kind: "accepted", incarnation });
/** An incarnation told of progress. */
export const progressBy = (incarnation: string): AskEvent => ({ kind: "progress", incarnation });
/** A decision with this digest came. */
export const decisionOf = (decisionDigest: string, incarnation = "3.p"): AskEvent => ({
  kind: "decision",
  incarnation,
  decisionDigest,
});
/** A refusal came. */
export const refused = (
  proven: boolean,
  lost: "loop" | "ask_malformed" | "version_mismatch",
): AskEvent => ({
  kind: "refused",
  lost,
  proven,
});

/** A status with what the last event asked for. */
export interface Run {
  readonly status: AskStatus;
  readonly effects: readonly AskEffect[];
}

/** Steps through events, each at its time; `roll` is 0. The effects are those of the last event. */
export function run(...events: readonly (readonly [now: number, event: AskEvent])[]): Run {
  let at: Run = { status: createdAsk({ deadlineAt: LIFE, graceMs: GRACE }), effects: [] };
  for (const [now, event] of events) at = step(at.status, event, { now, roll: 0 });
  return at;
}

/** How an ask comes into each state. */
export const PATHS: Readonly<Record<AskState, readonly (readonly [number, AskEvent])[]>> = {
  created: [[0, { kind: "journalled", connected: false }]],
  sent: [
    [0, journalled],
    [0, sent],
  ],
  accepted: [
    [0, journalled],
    [0, sent],
    [1, acceptedBy("3.p")],
  ],
  decided: [
    [0, journalled],
    [0, sent],
    [1, decisionOf("d1")],
  ],
  lost: [
    [0, journalled],
    [0, sent],
    [1, { kind: "abort" }],
  ],
};

function told(effect: AskEffect): string {
  switch (effect.kind) {
    case "publish":
      return "publish";
    case "note_accepted":
      return `note ${effect.incarnation}`;
    case "move":
      return `move ${effect.lost}`;
    case "apply":
      return `apply ${effect.decisionDigest}`;
    case "lose":
      return effect.cancel === null ? effect.lost : `${effect.lost}, cancel ${effect.cancel}`;
    case "receipt":
      return `receipt ${effect.decisionDigest} ${effect.effect}`;
  }
}

/** The state an event leads to and its effects, as one line. */
export function line({ status, effects }: Run): string {
  return [status.state, ...effects.map(told)].join(" | ");
}

/** When the machine wants its timer; never for an ask that has ended. */
export function dueAt(status: AskStatus): number {
  return nextTimer(status) ?? Number.NaN;
}

import type { ServedAskRow } from "../journal/journal.ts";

/** Where an ask stands at its parent. `unknown`: neither row nor memory holds anything about its id. */
export const SERVED_STATES = [
  "unknown",
  "dormant",
  "authorizer",
  "human",
  "relayed",
  "decided",
  "withdrawn",
  "refused",
  "tombstone",
] as const;

/** One of {@link SERVED_STATES}. */
export type ServedState = (typeof SERVED_STATES)[number];

/** What can happen to an ask at its parent. */
export const SERVED_EVENTS = [
  "held",
  "deferred",
  "passed",
  "ruled",
  "cancelled",
  "refused",
  "stopped",
  "swept",
] as const;

/** One of {@link SERVED_EVENTS}. */
export type ServedEvent = (typeof SERVED_EVENTS)[number];

const EDGES: Readonly<Record<ServedState, Readonly<Partial<Record<ServedEvent, ServedState>>>>> = {
  unknown: { held: "authorizer", ruled: "decided", cancelled: "tombstone", refused: "refused" },
  dormant: { held: "authorizer", ruled: "decided", cancelled: "withdrawn", refused: "refused" },
  authorizer: {
    deferred: "human",
    passed: "relayed",
    ruled: "decided",
    cancelled: "withdrawn",
    refused: "refused",
    stopped: "dormant",
  },
  human: { ruled: "decided", cancelled: "withdrawn", refused: "refused", stopped: "dormant" },
  relayed: { ruled: "decided", cancelled: "withdrawn", refused: "refused", stopped: "dormant" },
  decided: { swept: "unknown" },
  withdrawn: { swept: "unknown" },
  refused: { swept: "unknown" },
  tombstone: { swept: "unknown" },
};

/**
 * Moves an ask from one state to the next; null when the event changes nothing in that state.
 *
 * ```
 *                ┌─────────────────────── ruled (rules) ──────────────────────────┐
 *                │                                                                ▼
 * unknown ── held ──▶ authorizer ── deferred ──▶ human ────────── ruled ──────▶ decided
 *   │                  ▲      │ └── passed ────▶ relayed ──────── ruled ──────────┘
 *   │                  │      │                    │
 *   │                 held    └──── stopped ───────┤
 *   │                  │                           │
 *   │                 dormant ◀────────────────────┘
 *   └── cancelled ──▶ tombstone
 * ```
 *
 * | state | held | deferred | passed | ruled | cancelled | refused | stopped | swept |
 * | --- | --- | --- | --- | --- | --- | --- | --- | --- |
 * | unknown | authorizer | | | decided | tombstone | refused | | |
 * | dormant | authorizer | | | decided | withdrawn | refused | | |
 * | authorizer | | human | relayed | decided | withdrawn | refused | dormant | |
 * | human, relayed | | | | decided | withdrawn | refused | dormant | |
 * | decided, withdrawn, refused, tombstone | | | | | | | | unknown |
 *
 * `held`: the row is durable and links are asked. `deferred`: the links left it open. `passed`:
 * this session relays, and leaves links and people to its own parent. `ruled`: a rule, a link
 * or the terminal decided and the verdict is committed. `cancelled`: the child took it back. `refused`: it
 * ended without a ruling. `stopped`: this process serves no more, the row stays. `swept`: nobody needs it.
 * An end never becomes another end: that is how one ask has one verdict.
 */
export function nextState(state: ServedState, event: ServedEvent): ServedState | null {
  return EDGES[state][event] ?? null;
}

/** Says whether an ask in this state still waits for its end. */
export function isUndecided(state: ServedState): boolean {
  return state === "dormant" || state === "authorizer" || state === "human" || state === "relayed";
}

/** The state of a journal row that no process of this node has taken up. */
export function stateOfRow(row: Pick<ServedAskRow, "end">): ServedState {
  if (row.end === null) return "dormant";
  return row.end.kind === "decision" ? "decided" : row.end.kind;
}

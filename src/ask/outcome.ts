import type { DecisionSource, DecisionState, Resolution } from "./decision.ts";
import type { LostReason } from "./lost.ts";
import type { RequestId } from "./request-id.ts";

/** How one permission request ended at the child. */
export interface RequestOutcome {
  readonly requestId: RequestId;
  /** Gate surface and value of the request. */
  readonly surface: string;
  readonly value: string;
  readonly outcome: "allowed" | "denied" | "lost";
  /** Present exactly when `outcome` is `lost`. */
  readonly lost?: LostReason;
  readonly resolution: Resolution;
  readonly decidedBy: DecisionSource;
  /** State of the decision that settled it; absent when no decision came. */
  readonly state?: DecisionState;
}

interface Ended {
  /** One line for the agent: what happened, and when refused, what to do. */
  readonly text: string;
  /** Milliseconds from the call's arrival to its end. */
  readonly waitedMs: number;
  /** Every permission request the call raised, in order; the last one decided. */
  readonly requests: readonly RequestOutcome[];
}

/**
 * How a tool call ended at the child. Only `allowed` lets the call run.
 * Losses are values: nothing that happens to an ask is thrown.
 */
export type Outcome =
  | ({ readonly outcome: "allowed" } & Ended)
  | ({ readonly outcome: "denied" } & Ended)
  | ({ readonly outcome: "lost"; readonly lost: LostReason } & Ended);

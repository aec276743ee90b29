import { LOST_REASONS } from "../ask/lost.ts";
import { CHILD_GONE } from "../ask/ports.ts";

/**
 * Why a prompt can become void: its ask was decided without it, this process serves no longer, nothing is heard of its
 * child for now, the lost reason of its ask, or `withdrawn` when nobody said why.
 */
export const WITHDRAWALS = [
  "decided",
  "stopped",
  CHILD_GONE,
  ...LOST_REASONS,
  "withdrawn",
] as const;

/** One of {@link WITHDRAWALS}. */
export type Withdrawal = (typeof WITHDRAWALS)[number];

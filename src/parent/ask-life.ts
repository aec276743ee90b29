import { type Ask, MAX_ASK_LIFE_MS } from "../ask/ask.ts";

/** How long a row stays after the later of its receipt and its expiry, in milliseconds. */
export const ROW_KEPT_MS = 24 * 60 * 60 * 1000;

/**
 * How long after its own expiry an ask is still taken, in milliseconds. An hour less than a row is kept: a
 * child's clock may be wrong by that much before an ask could come whose row, and verdict, are gone.
 */
const TAKEN_AFTER_EXPIRY_MS = ROW_KEPT_MS - 60 * 60 * 1000;

/**
 * End of an ask's life on this node's clock, in epoch milliseconds: the life the ask states, counted from its
 * first receipt and shortened by what the child says is left. The child's clock is never compared with ours.
 */
export function deadlineOf(
  ask: Pick<Ask, "createdAt" | "expiresAt">,
  remainingMs: number | null,
  receivedAt: number,
): number {
  const life = Math.min(ask.expiresAt - ask.createdAt, MAX_ASK_LIFE_MS);
  return receivedAt + Math.max(0, remainingMs === null ? life : Math.min(life, remainingMs));
}

/** The deadline after a repeat that came `now`: a repeat may shorten a life and never lengthens it. */
export function shortenedDeadline(
  deadlineAt: number,
  remainingMs: number | null,
  now: number,
): number {
  return remainingMs === null ? deadlineAt : Math.min(deadlineAt, now + Math.max(0, remainingMs));
}

/** Says whether an unknown ask is so old that a row of it may have been here and left. */
export function isTooOld(ask: Pick<Ask, "expiresAt">, now: number): boolean {
  return now > ask.expiresAt + TAKEN_AFTER_EXPIRY_MS;
}

import { MAX_ASK_LIFE_MS } from "../ask/ask.ts";

/** Proof that the sender saw the ask this message is about. */
export const PROOF_HEADER = "Af-Proof";

/** Ed25519 signature over the bytes the proof covers. */
export const SIGNATURE_HEADER = "Af-Sig";

/** Milliseconds the child still waits, by its own clock, on every publish of an ask. */
export const REMAINING_HEADER = "Af-Remaining";

/** W3C trace context; carried on untouched, never read. */
export const TRACE_HEADER = "traceparent";

/** Reads {@link REMAINING_HEADER}: whole milliseconds from 0 on, null when absent or anything else. */
export function parseRemaining(header: string | undefined): number | null {
  if (header === undefined || !/^\d{1,15}$/.test(header)) return null;
  return Number(header);
}

/**
 * Writes {@link REMAINING_HEADER}: whole milliseconds, rounded down, from 0 to the longest life. What is not finite is 0:
 * an ask whose remaining life nobody knows must not outlive its child.
 */
export function formatRemaining(remainingMs: number): string {
  const whole = Number.isFinite(remainingMs) ? Math.floor(remainingMs) : 0;
  return String(Math.min(Math.max(whole, 0), MAX_ASK_LIFE_MS));
}

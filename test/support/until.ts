import { setTimeout as pause } from "node:timers/promises";

/**
 * Polls `probe` until it is true, or gives a value other than undefined and false, and returns that.
 * Rejects after `deadlineMs` (5,000) naming `what` was awaited.
 */
export async function until<T>(
  what: string,
  probe: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = 5_000,
): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const value = await probe();
    if (value !== undefined && value !== false) return value;
    if (performance.now() > deadline) {
      throw new Error(`${what}: not within ${String(deadlineMs)} ms`);
    }
    await pause(5);
  }
}

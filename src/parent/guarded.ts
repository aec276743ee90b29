import type { Serving } from "./serving.ts";

/** Runs work that nobody waits for: what it throws is counted and logged, and goes no further. */
export function guarded(
  serving: Pick<Serving, "counters" | "log">,
  what: string,
  work: () => void,
): void {
  try {
    work();
  } catch (error) {
    serving.counters.count("failed");
    serving.log.error({ err: error }, `${what} failed`);
  }
}

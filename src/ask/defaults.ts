import type { Clock, Log } from "./ports.ts";

/** The machine's own time, for programs that pass no clock. */
export const SYSTEM_CLOCK: Clock = Object.freeze({
  now: () => Date.now(),
  monotonic: () => performance.now(),
});

const nothing = (): void => undefined;

/** Says nothing, for programs that pass no log. */
export const SILENT_LOG: Log = Object.freeze({
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
});

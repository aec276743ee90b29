import type { Log } from "../ask/ports.ts";

/** A log whose failures reach nobody: what cannot be told must not change what happens. */
export function quietLog(log: Log): Log {
  const quietly =
    (level: keyof Log) =>
    (fields: object, text: string): void => {
      try {
        log[level](fields, text);
      } catch {
        // Nowhere is left to say it.
      }
    };
  return {
    debug: quietly("debug"),
    info: quietly("info"),
    warn: quietly("warn"),
    error: quietly("error"),
  };
}

/** The log of a role that was given none. */
export const NO_LOG: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

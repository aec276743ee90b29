import type { Clock } from "../ask/ports.ts";
import { HEARTBEAT_MS, SILENT_AFTER_MS } from "../ask/presence.ts";

/** A child that never announced itself is heard by its repeats alone, which come every 15 to 30 s. */
const UNANNOUNCED_MS = 40_000;

/** A child whose asks have ended is remembered this long: it may ask again before it announces itself again. */
const KEPT_MS = 10_000;

/** Two looks further apart than this mean that this process stood still itself, in milliseconds. */
const OWN_STALL_MS = 2 * HEARTBEAT_MS;

/** Most children that are known by their signs alone. */
const MOST_KNOWN = 10_000;

/** What is known of the processes that ask here. */
export interface Children {
  /** An ask of a child waits here: from now on its life is looked at. */
  watch(childToken: string): void;
  /** Something came from a child. `announces`: it said that it lives, and will again each second while it does. */
  heard(childToken: string, announces: boolean): void;
  /** Whether a child lives that has announced itself, as far as is heard here. */
  anyLives(): boolean;
  /** Whether a session is known here as a child. */
  knows(childToken: string): boolean;
  /** Whether nothing was heard of a child for too long. */
  isGone(childToken: string): boolean;
  /** Resolves when a child that is gone is heard again, or `signal` is aborted. */
  back(childToken: string, signal: AbortSignal): Promise<void>;
  /**
   * Looks, once a second, at the children whose asks wait; others are forgotten when they are silent. Gives those of whom nothing is heard
   * any longer since this look. What this process missed itself is held against nobody.
   */
  look(waiting: ReadonlySet<string>): readonly string[];
}

interface Sign {
  heardAt: number;
  announced: boolean;
  /** Told when it is heard again; null while it is not gone. */
  gone: Set<() => void> | null;
}

/** Knows nobody yet. */
export function openChildren(parts: {
  readonly clock: Pick<Clock, "monotonic">;
  /** Whether this process can hear anybody. */
  readonly connected: () => boolean;
}): Children {
  const { clock } = parts;
  const signs = new Map<string, Sign>();
  let lookedAt = clock.monotonic();

  function meet(token: string): Sign {
    const sign: Sign = { heardAt: clock.monotonic(), announced: false, gone: null };
    signs.set(token, sign);
    return sign;
  }

  function look(waiting: ReadonlySet<string>): readonly string[] {
    const now = clock.monotonic();
    const missed = !parts.connected() || now - lookedAt > OWN_STALL_MS;
    lookedAt = now;
    for (const [token, sign] of signs) {
      if (!waiting.has(token) && now - sign.heardAt > KEPT_MS) signs.delete(token);
    }
    const left: string[] = [];
    for (const token of waiting) {
      const sign = signs.get(token);
      if (sign === undefined || sign.gone !== null) continue;
      if (missed) sign.heardAt = now;
      else if (now - sign.heardAt > (sign.announced ? SILENT_AFTER_MS : UNANNOUNCED_MS)) {
        sign.gone = new Set();
        left.push(token);
      }
    }
    return left;
  }

  return {
    watch: (childToken) => {
      if (!signs.has(childToken)) meet(childToken);
    },
    anyLives: () => {
      const now = clock.monotonic();
      const lives = ({ announced, heardAt }: Sign): boolean =>
        announced && now - heardAt <= SILENT_AFTER_MS;
      return [...signs.values()].some(lives);
    },
    heard: (childToken, announces) => {
      const sign = signs.get(childToken);
      if (sign === undefined) {
        if (announces && signs.size < MOST_KNOWN) meet(childToken).announced = true;
        return;
      }
      sign.heardAt = clock.monotonic();
      sign.announced ||= announces;
      const { gone } = sign;
      sign.gone = null;
      for (const told of gone ?? []) told();
    },
    knows: (childToken) => signs.has(childToken),
    isGone: (childToken) => (signs.get(childToken)?.gone ?? null) !== null,
    back: async (childToken, signal) =>
      new Promise((resolve) => {
        const gone = signs.get(childToken)?.gone ?? null;
        if (gone === null || signal.aborted) return resolve();
        const done = (): void => {
          gone.delete(done);
          signal.removeEventListener("abort", done);
          resolve();
        };
        gone.add(done);
        signal.addEventListener("abort", done, { once: true });
      }),
    look,
  };
}

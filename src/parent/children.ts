import type { Clock } from "../ask/ports.ts";
import { HEARTBEAT_MS, SILENT_AFTER_MS } from "../ask/presence.ts";
import type { RequestId } from "../ask/request-id.ts";

/** A child that never announced itself is heard by its repeats alone, which come every 15 to 30 s. */
const UNANNOUNCED_MS = 40_000;

/** A child whose asks have ended is remembered this long: it may ask again before it announces itself again. */
const KEPT_MS = 10_000;

/** Two looks further apart than this mean that this process stood still itself, in milliseconds. */
const OWN_STALL_MS = 2 * HEARTBEAT_MS;

/** Most children that are known by their signs alone. */
const MOST_KNOWN = 10_000;

/** An ask that waits here, as far as the life of its child matters. */
export interface WaitingAsk {
  readonly requestId: RequestId;
  readonly childToken: string;
}

/** What is known of the processes that ask here. */
export interface Children {
  /** An ask of a child waits here: from now on its life is looked at. */
  watch(childToken: string): void;
  /**
   * Something came from a child. `unheard`: it said that it lives, and will again each second while it does, and named
   * the asks it passed on of whose own children nothing is heard.
   */
  heard(childToken: string, unheard?: readonly RequestId[]): void;
  /** Whether a child lives that has announced itself, as far as is heard here. */
  anyLives(): boolean;
  /** Whether a session is known here as a child. */
  knows(childToken: string): boolean;
  /** Whether nothing was heard for too long of the child that waits for it, here or at the relay it came through. */
  isGone(ask: WaitingAsk): boolean;
  /** Resolves when the child of an ask is heard again, or `signal` is aborted. */
  back(ask: WaitingAsk, signal: AbortSignal): Promise<void>;
  /**
   * Looks, once a second, at the children whose asks wait; others are forgotten when they are silent. What this process
   * missed itself is held against nobody.
   */
  look(waiting: ReadonlySet<string>): void;
}

interface Sign {
  heardAt: number;
  announced: boolean;
  gone: boolean;
  unheard: ReadonlySet<RequestId>;
  /** Asks whose child is gone: told when it may be back. */
  readonly told: Set<() => void>;
}

const NONE: ReadonlySet<RequestId> = new Set();

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
    const sign: Sign = {
      heardAt: clock.monotonic(),
      announced: false,
      gone: false,
      unheard: NONE,
      told: new Set(),
    };
    signs.set(token, sign);
    return sign;
  }

  const isGone = ({ childToken, requestId }: WaitingAsk): boolean => {
    const sign = signs.get(childToken);
    return sign !== undefined && (sign.gone || sign.unheard.has(requestId));
  };

  function look(waiting: ReadonlySet<string>): void {
    const now = clock.monotonic();
    const missed = !parts.connected() || now - lookedAt > OWN_STALL_MS;
    lookedAt = now;
    for (const [token, sign] of signs) {
      if (!waiting.has(token) && now - sign.heardAt > KEPT_MS) signs.delete(token);
    }
    for (const token of waiting) {
      const sign = signs.get(token);
      if (sign === undefined || sign.gone) continue;
      if (missed) sign.heardAt = now;
      else sign.gone = now - sign.heardAt > (sign.announced ? SILENT_AFTER_MS : UNANNOUNCED_MS);
    }
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
    heard: (childToken, unheard) => {
      const known = signs.get(childToken);
      if (known === undefined && (unheard === undefined || signs.size >= MOST_KNOWN)) return;
      const sign = known ?? meet(childToken);
      sign.heardAt = clock.monotonic();
      sign.announced ||= unheard !== undefined;
      sign.gone = false;
      if (unheard !== undefined) sign.unheard = unheard.length === 0 ? NONE : new Set(unheard);
      for (const told of sign.told) told();
    },
    knows: (childToken) => signs.has(childToken),
    isGone,
    back: async (ask, signal) =>
      new Promise((resolve) => {
        const told = signs.get(ask.childToken)?.told;
        const look = (): void => {
          if (isGone(ask) && !signal.aborted) return;
          told?.delete(look);
          signal.removeEventListener("abort", look);
          resolve();
        };
        told?.add(look);
        signal.addEventListener("abort", look, { once: true });
        look();
      }),
    look,
  };
}

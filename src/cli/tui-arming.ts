import type { Clock } from "../ask/ports.ts";

/** How long a dialog ignores keys after it appeared, in milliseconds: they were meant for what was there before. */
export const ARMED_AFTER_MS = 400;

/**
 * How long it must be quiet after a key that was ignored or meant for what was there before, in milliseconds.
 * Longer than a held key usually takes until it first repeats: whoever leans on a key, or types on without looking,
 * decides nothing more.
 */
export const QUIET_MS = 700;

/** When a key last came, whoever it was meant for: on the monotonic clock, in milliseconds. */
export interface LastKey {
  at: number;
}

/** Says from when on the keys of a dialog count. */
export interface Arming {
  readonly isArmed: () => boolean;
  /** The dialog appeared, or another question stands in it. */
  readonly begin: () => void;
  /** A key came that does not count: the wait for quiet begins anew. */
  readonly ignored: () => void;
  /** Ends the timer. Keys count no more. */
  readonly end: () => void;
}

/** Opens an arming that calls `changed` whenever the keys begin or cease to count. */
export function createArming(options: {
  readonly clock: Pick<Clock, "monotonic">;
  readonly lastKey: LastKey;
  readonly changed: () => void;
}): Arming {
  const { clock, changed, lastKey } = options;
  let armed = false;
  let due = 0;
  let timer: NodeJS.Timeout | null = null;

  const check = (): void => {
    if (timer === null) return;
    if (clock.monotonic() < due) return wait();
    timer = null;
    armed = true;
    changed();
  };
  const wait = (): void => {
    if (timer !== null) clearTimeout(timer);
    // After the timer comes what was typed meanwhile, and only then the check: a program that was busy or
    // stopped for long does not take old keys for new ones.
    timer = setTimeout(() => setImmediate(check), Math.max(0, due - clock.monotonic()));
  };
  const disarm = (): void => {
    const was = armed;
    armed = false;
    wait();
    if (was) changed();
  };

  return {
    isArmed: () => armed,
    begin: () => {
      due = Math.max(clock.monotonic() + ARMED_AFTER_MS, lastKey.at + QUIET_MS);
      disarm();
    },
    ignored: () => {
      due = Math.max(due, clock.monotonic() + QUIET_MS);
      disarm();
    },
    end: () => {
      if (timer !== null) clearTimeout(timer);
      timer = null;
      armed = false;
    },
  };
}

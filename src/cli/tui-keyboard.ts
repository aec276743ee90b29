import type { Screen } from "./io.ts";

/** The keys of a terminal while no dialog reads them. */
export interface Keyboard {
  /** Swallows keys from now on: none is echoed, and none is kept for a dialog that comes later. */
  readonly take: () => void;
  /** Leaves the keys to a dialog. */
  readonly leave: () => void;
  /** Gives the terminal back as it was. */
  readonly close: () => void;
}

const STOP_KEY = 0x03;

/** Takes the keys of a terminal, and calls `pressed` for those it swallows. The stop key works all the time. */
export function openKeyboard({ input, interrupt, lost }: Screen, pressed: () => void): Keyboard {
  let isTaken = false;
  const swallow = (keys: Buffer): void => {
    pressed();
    if (keys.includes(STOP_KEY)) interrupt();
  };
  const setRaw = (on: boolean): void => {
    try {
      input.setRawMode(on);
    } catch {
      // The terminal is gone; the end of the input, or its signal, is on its way.
    }
  };
  // Also while a dialog reads: an input that ends leaves nobody who could decide.
  input.on("end", lost);
  input.on("error", lost);
  const leave = (): void => {
    input.off("data", swallow);
    isTaken = false;
  };
  return {
    take: () => {
      if (isTaken || input.destroyed) return;
      isTaken = true;
      setRaw(true);
      input.on("data", swallow);
      input.resume();
    },
    leave,
    close: () => {
      leave();
      input.off("end", lost);
      if (!input.destroyed) setRaw(false);
      input.pause();
    },
  };
}

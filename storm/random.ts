/** Chance that one seed repeats: the same calls give the same values. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  readonly next: () => number;
  /** A whole number, both ends included. */
  readonly between: (least: number, most: number) => number;
  pick<T>(from: readonly [T, ...(readonly T[])]): T;
}

/** Opens the chance of one matter: each has its own, so that how often one is asked changes no other. */
export function randomOf(seed: number, matter: string): Random {
  let state = seed >>> 0;
  for (const character of matter) {
    state = (Math.imul(state, 31) + (character.codePointAt(0) ?? 0)) >>> 0;
  }
  // mulberry32
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
  const between = (least: number, most: number): number =>
    least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  };
}

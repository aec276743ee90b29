/** Things to be ordered, for each those that come before it. A cause that is not among them counts for nothing. */
export type CausesOf<T> = ReadonlyMap<T, ReadonlySet<T>>;

interface Waiting<T> {
  readonly item: T;
  readonly effects: Waiting<T>[];
  /** Place by rank alone. */
  readonly place: number;
  /** Causes that do not stand yet. */
  open: number;
  out: boolean;
}

/**
 * Orders things by cause: of those whose causes all stand already the one of least rank, again and again. Things
 * that cause each other in a circle stand by rank where nothing else can.
 */
export function sortByCause<T>(
  causes: CausesOf<T>,
  rankOf: (item: T) => readonly number[],
): readonly T[] {
  const waiting = ranked(causes, rankOf);
  const free = openFree<T>();
  for (const one of waiting) if (one.open === 0) free.add(one);
  const ordered: T[] = [];
  let first = 0;
  while (ordered.length < waiting.length) {
    while (waiting[first]?.out === true) first += 1;
    const next = free.take() ?? waiting[first];
    if (next === undefined) break;
    next.out = true;
    ordered.push(next.item);
    for (const effect of next.effects) {
      effect.open -= 1;
      if (effect.open === 0 && !effect.out) free.add(effect);
    }
  }
  return ordered;
}

function ranked<T>(
  causes: CausesOf<T>,
  rankOf: (item: T) => readonly number[],
): readonly Waiting<T>[] {
  const waiting = [...causes.keys()]
    .map((item) => ({ item, rank: rankOf(item) }))
    .sort((one, other) => compare(one.rank, other.rank))
    .map(({ item }, place): Waiting<T> => ({ item, effects: [], place, open: 0, out: false }));
  const byItem = new Map(waiting.map((one) => [one.item, one]));
  for (const one of waiting) {
    for (const cause of causes.get(one.item) ?? []) {
      const found = byItem.get(cause);
      if (found === undefined) continue;
      found.effects.push(one);
      one.open += 1;
    }
  }
  return waiting;
}

/** Below 0 where `one` stands first. */
function compare(one: readonly number[], other: readonly number[]): number {
  for (const [place, value] of one.entries()) {
    const difference = value - (other[place] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** What waits for nothing; the least is taken first. */
function openFree<T>(): {
  add(one: Waiting<T>): void;
  take(): Waiting<T> | undefined;
} {
  /** The least last. */
  const free: Waiting<T>[] = [];
  return {
    add: (one) => {
      let low = 0;
      let high = free.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((free[middle]?.place ?? 0) > one.place) low = middle + 1;
        else high = middle;
      }
      free.splice(low, 0, one);
    },
    take: () => {
      for (let one = free.pop(); one !== undefined; one = free.pop()) if (!one.out) return one;
      return undefined;
    },
  };
}

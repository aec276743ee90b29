/** Least, middle and greatest of some measurements. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** Sums up the rounds of one side of a row. Takes at least one. */
export function spreadOf(values: readonly number[]): Spread {
  return { min: Math.min(...values), median: quantile(values, 0.5), max: Math.max(...values) };
}

/** The value below which the share `at` of all values lies; between two values the nearer to their middle. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = Float64Array.from(values).sort();
  const place = at * (sorted.length - 1);
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

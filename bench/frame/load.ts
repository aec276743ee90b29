import { quantile } from "./figures.ts";

/** How much is put in one round: `count` pieces, at most `concurrency` at a time. */
export interface Load {
  readonly count: number;
  readonly concurrency: number;
}

/** What one round took. */
export interface Took {
  /** Milliseconds of the middle piece, and of the slowest but one in a hundred. */
  readonly p50: number;
  readonly p99: number;
  readonly perSecond: number;
}

/** Puts a load through `one` and takes the time of each piece. */
export async function putLoad(load: Load, one: () => Promise<void>): Promise<Took> {
  const times: number[] = [];
  let left = load.count;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const begun = performance.now();
      await one();
      times.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  const seconds = (performance.now() - begun) / 1000;
  return {
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    perSecond: load.count / seconds,
  };
}

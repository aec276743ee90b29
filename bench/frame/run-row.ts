import { type Spread, spreadOf } from "./figures.ts";
import type { Goal, Row } from "./row.ts";
import { openScene } from "./scene.ts";

/** What a row gave. */
export interface Result {
  readonly row: Row;
  readonly value: Spread;
  readonly baseline: Spread | null;
  /** Median of the value over median of the baseline; null without a baseline. */
  readonly ratio: number | null;
  readonly reached: boolean;
  /** Microseconds of processor for one piece, by process; null where the row does not say. */
  readonly cpu: Readonly<Record<string, number>> | null;
}

/** Measures one row: baseline and value in turns, so that whatever the machine does meanwhile meets both. */
export async function runRow(row: Row, how: { folder: string; quick: boolean }): Promise<Result> {
  await using scene = openScene(how.folder, how.quick);
  const contest = await row.open(scene);
  const rounds = how.quick ? 1 : (row.rounds ?? 5);
  const values: number[] = [];
  const baselines: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    if (contest.baseline !== undefined) baselines.push(await contest.baseline());
    values.push(await contest.value());
  }
  const cpu = (await contest.cpu?.()) ?? null;
  const value = spreadOf(values);
  const baseline = baselines.length === 0 ? null : spreadOf(baselines);
  const ratio = baseline === null ? null : value.median / baseline.median;
  const reached = isReached(row.goal, value.median, ratio);
  return { row, value, baseline, ratio, reached, cpu };
}

/** One bound that holds is enough. */
function isReached(goal: Goal, value: number, ratio: number | null): boolean {
  const { atMost, atLeast, ratioAtMost, ratioAtLeast } = goal;
  return [
    atMost !== undefined && value <= atMost,
    atLeast !== undefined && value >= atLeast,
    ratioAtMost !== undefined && ratio !== null && ratio <= ratioAtMost,
    ratioAtLeast !== undefined && ratio !== null && ratio >= ratioAtLeast,
  ].includes(true);
}

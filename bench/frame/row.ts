import type { Scene } from "./scene.ts";

/** What a figure has to reach: a bound on the value itself, on its ratio to the baseline, or either of them. */
export interface Goal {
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly ratioAtMost?: number;
  readonly ratioAtLeast?: number;
}

/** One measurement of one row. The frame calls `baseline` and `value` in turns, one round each. */
export interface Contest {
  /** Measures the product once, in the row's unit. */
  value(): Promise<number>;
  /** Measures what the product is compared with once, in the same unit. */
  baseline?(): Promise<number>;
  /** Microseconds of processor for one piece, by process, over all rounds so far: what a busy machine hardly moves. */
  cpu?(): Promise<Readonly<Record<string, number>>>;
}

/** One row of the table. A file under `bench/rows` holds one or a few that differ in one respect. */
export interface Row {
  /** Key in the JSON output, and what `--only` takes: lower-case words joined by dashes. */
  readonly name: string;
  readonly unit: "ms" | "asks/s" | "records/s" | "MB";
  /** What is measured, as a sentence for the table's reader. */
  readonly says: string;
  readonly goal: Goal;
  /** Timed rounds. @defaultValue 5, with `--quick` 1 */
  readonly rounds?: number;
  /** Sets everything up and warms it up; what the scene started ends after the last round. */
  open(scene: Scene): Promise<Contest>;
}

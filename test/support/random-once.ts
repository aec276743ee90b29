import { SEED } from "./random-tests.ts";

/** Tells once in a run what all random tests draw from. */
export function setup(): void {
  process.stdout.write(`random tests draw from the seed ${String(SEED)}\n`);
}

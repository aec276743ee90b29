import { randomInt } from "node:crypto";

/** The seed of every random test that nobody names another one for: the same commit gives the same verdict. */
const FIXED_SEED = 20_240_517;

// The first process of a run draws for all: the others inherit what it found.
if (process.env["ASKFABRIC_TEST_SEED"] === "random") {
  process.env["ASKFABRIC_TEST_SEED"] = String(randomInt(2 ** 31));
}

/** What every random test draws from; `ASKFABRIC_TEST_SEED` names another one, `random` draws it. */
export const SEED = numberFrom("ASKFABRIC_TEST_SEED", FIXED_SEED);

/** How many times the usual size random tests run. */
const FACTOR = numberFrom("ASKFABRIC_TEST_FACTOR", 1);

/** The number of runs of a random test whose usual one is `usual`. */
export function runs(usual: number): number {
  return Math.ceil(usual * FACTOR);
}

/** A time limit, in milliseconds, that grows with the size of random tests; never below `usual`. */
export function limitMs(usual: number): number {
  return usual * Math.max(1, FACTOR);
}

function numberFrom(variable: string, otherwise: number): number {
  const given = Number(process.env[variable] ?? otherwise);
  if (!Number.isFinite(given)) throw new Error(`${variable} must be a number`);
  return given;
}

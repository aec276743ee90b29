import fc from "fast-check";
import { runs, SEED } from "./random-tests.ts";

fc.configureGlobal({ seed: SEED, numRuns: runs(100) });

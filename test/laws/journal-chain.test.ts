import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Journal, JournalWrites } from "../../src/journal/journal.ts";
import { aDraft, aFolder, openAt } from "../support/journal-parts.ts";
import { runs } from "../support/random-tests.ts";
import { bodyOf, chainFaults } from "../support/record-chain.ts";

/** One thing that one of two processes does: so many records in one transaction, which may fail. */
interface Step {
  readonly process: "first" | "second";
  readonly grouped: boolean;
  readonly records: number;
  readonly fails: boolean;
}

const steps = fc.array(
  fc.record<Step>({
    process: fc.constantFrom("first", "second"),
    grouped: fc.boolean(),
    records: fc.integer({ min: 0, max: 4 }),
    fails: fc.boolean(),
  }),
  { maxLength: 40 },
);

const FAILURE = new Error("as planned");

/** The marks of the records that a plan leaves behind when only what failed is undone. */
function marksOf(plan: readonly Step[]): readonly number[] {
  return plan.flatMap((step, mark) => (step.fails ? [] : Array<number>(step.records).fill(mark)));
}

function sorted(marks: readonly number[]): readonly number[] {
  return marks.toSorted((one, other) => one - other);
}

async function take(step: Step, journal: Journal, mark: number): Promise<void> {
  const work = (tx: JournalWrites): void => {
    for (let k = 0; k < step.records; k += 1) tx.record(aDraft({ body: { mark } }), mark);
    if (step.fails) throw FAILURE;
  };
  if (step.grouped) {
    await journal.group(work);
    return;
  }
  journal.write(work);
}

describe("the chain of a session's records", () => {
  it("whatever two processes write, undo and group, it is unbroken and holds exactly what stood", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        using folder = aFolder();
        await using first = await openAt(folder.path);
        await using second = await openAt(folder.path);
        const journals = { first, second };
        const results = await Promise.allSettled(
          plan.map(async (step, mark) => take(step, journals[step.process], mark)),
        );
        const found = first.read.outbox(1, 1_000).map((row) => Number(bodyOf(row)["mark"]));
        expect(sorted(found)).toEqual(marksOf(plan));
        expect(results.map((result) => result.status === "rejected")).toEqual(
          plan.map((step) => step.fails),
        );
        expect(chainFaults(first)).toEqual([]);
        expect(chainFaults(second)).toEqual([]);
      }),
      { numRuns: runs(40) },
    );
  });
});

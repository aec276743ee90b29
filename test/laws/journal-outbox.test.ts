import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JournalWrites } from "../../src/journal/journal.ts";
import { aDraft, aFolder, openAt } from "../support/journal-parts.ts";
import { runs } from "../support/random-tests.ts";

/** What the outbox is meant to hold, told as simply as possible. */
interface Model {
  head: number;
  rows: { n: number; ackedAt: number | null }[];
}

/** One thing done to an outbox, and to the model of it. */
interface Step {
  readonly name: string;
  readonly real: (tx: JournalWrites) => void;
  readonly model: (model: Model) => void;
}

const records = fc.integer({ min: 1, max: 5 }).map((count): Step => {
  const each = Array.from({ length: count }, (_, k) => k);
  return {
    name: `record ${count}`,
    real: (tx) => {
      for (const k of each) tx.record(aDraft({ body: { filler: "x".repeat(k * 100) } }), k);
    },
    model: (model) => {
      for (const _ of each) model.rows.push({ n: (model.head += 1), ackedAt: null });
    },
  };
});

const acks = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 9 })).map(
  ([n, at]): Step => ({
    name: `acknowledge ${n} at ${at}`,
    real: (tx) => tx.ackOutbox(n, at),
    model: (model) => {
      for (const row of model.rows) if (row.n <= n) row.ackedAt ??= at;
    },
  }),
);

const trims = fc.integer({ min: 0, max: 10 }).map(
  (before): Step => ({
    name: `trim before ${before}`,
    real: (tx) => void tx.trimOutbox(before),
    model: (model) => {
      const kept = model.rows.findIndex((row) => row.ackedAt === null || row.ackedAt >= before);
      model.rows.splice(0, kept === -1 ? model.rows.length : kept);
    },
  }),
);

const renewals = fc.integer({ min: 0, max: 9 }).map(
  (at): Step => ({
    name: `renew all at ${at}`,
    real: (tx) => tx.renewOutbox(tx.outboxState().ackedN, at),
    model: (model) => {
      for (const row of model.rows) if (row.ackedAt !== null) row.ackedAt = at;
    },
  }),
);

describe("the outbox of a session", () => {
  it("holds what was recorded and not trimmed, and counts it right, after whatever was done", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(records, acks, trims, renewals), { maxLength: 30 }),
        async (steps) => {
          using folder = aFolder();
          await using journal = await openAt(folder.path);
          const model: Model = { head: 0, rows: [] };
          for (const step of steps) {
            journal.write(step.real);
            step.model(model);
          }
          const rows = journal.read.outbox(1, 1_000);
          expect(rows.map(({ n, ackedAt }) => ({ n, ackedAt }))).toEqual(model.rows);
          expect(journal.read.head().n).toBe(model.head);
          expect(journal.read.outboxSize()).toEqual({
            rows: rows.length,
            bytes: rows.reduce(
              (sum, r) => sum + r.header.length + r.salt.length + r.body.length,
              0,
            ),
          });
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Journal } from "../../src/journal/journal.ts";
import { aFolder, openAt } from "../support/journal-parts.ts";
import { startJournal } from "../support/journal-programs.ts";
import type { Program } from "../support/program.ts";
import { limitMs, runs } from "../support/random-tests.ts";
import { chainFaults, headerOf } from "../support/record-chain.ts";

/** How many lines each of two writers tells before it is killed; the first comes before its journal is open. */
const kills = fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 }));

/** Kills `writer` as soon as it has told `lines` lines. */
async function killAtLine(writer: Program, lines: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (writer.lines.length >= lines) resolve();
    };
    writer.onLine(look);
    look();
  });
  await writer.kill();
}

/** Marks a writer told to be durable. */
function durableMarks(writer: Program): readonly string[] {
  return writer.lines.flatMap((line) => (line["durable"] as string[] | undefined) ?? []);
}

/** Ids of the asks whose record stands. */
function recordedAsks(journal: Journal): readonly string[] {
  return journal.read
    .outbox(1, Number.MAX_SAFE_INTEGER)
    .map((row) => headerOf(row).requestId ?? "none");
}

function sorted(ids: readonly string[]): readonly string[] {
  return ids.toSorted((one, other) => one.localeCompare(other));
}

function integrityOf(file: string): unknown {
  using database = new DatabaseSync(file, { readOnly: true });
  return database.prepare("PRAGMA integrity_check").all();
}

describe("a journal whose processes are killed while they write", () => {
  it(
    "keeps every write it told to be durable, whole, in one unbroken chain",
    async () => {
      const plan = fc.array(kills, { minLength: 12, maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(plan, async (rounds) => {
          using folder = aFolder();
          const durable: string[] = [];
          for (const [one, other] of rounds) {
            await using first = startJournal("write", folder.path);
            await using second = startJournal("write", folder.path);
            await Promise.all([killAtLine(first, one), killAtLine(second, other)]);
            durable.push(...durableMarks(first), ...durableMarks(second));

            await using journal = await openAt(folder.path);
            const recorded = recordedAsks(journal);
            expect(integrityOf(journal.file)).toEqual([{ integrity_check: "ok" }]);
            expect(chainFaults(journal)).toEqual([]);
            expect(durable.filter((mark) => !recorded.includes(mark))).toEqual([]);
            // An ask and its record were one transaction, and all who wrote them are dead.
            const orphans = journal.read.orphans().map((ask) => ask.requestId);
            expect(sorted(orphans)).toEqual(sorted(recorded));
          }
          expect(durable.length).toBeGreaterThan(rounds.length);
        }),
        { numRuns: runs(1), endOnFailure: true },
      );
    },
    limitMs(120_000),
  );
});

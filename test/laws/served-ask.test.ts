import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { acts, PLAYED, type Played, play } from "../support/parent-play.ts";
import { runs } from "../support/random-tests.ts";

const LIMIT_MS = 120_000;

function expectOneVerdict(played: Played, requestId: string): void {
  const ends = played.ends(requestId);
  expect(ends.slice(1)).toEqual([]);
  const kept = played.kept(requestId);
  const differing = ends.filter((end) => kept !== null && end !== kept);
  expect(differing).toEqual([]);
}

function expectPromptsBeforeVerdict(played: Played, requestId: string): void {
  expect(played.promptedAfterEnd).toEqual([]);
  expect(played.prompts(requestId)).toBeLessThanOrEqual(played.processes);
}

/** A cancel that found nothing: whatever else is said about its id, nobody was asked and nobody ruled. */
function expectNothingAfterTombstone(played: Played, requestId: string): void {
  const words = played.words(requestId);
  const after = words.slice(words.indexOf("unknown") + 1);
  const buried = words.includes("unknown") ? after : [];
  expect(buried.filter((word) => word !== "unknown" && word !== "cancelled")).toEqual([]);
}

function expectDecisionPerPrompt(played: Played, requestId: string): void {
  const story = played.story(requestId);
  expect(story.filter((one) => one.startsWith("decision ")).length).toBeLessThanOrEqual(1);
  const shown = story.includes("ui_prompt");
  expect({ shown, decided: shown && story.some((one) => one.startsWith("decision ")) }).toEqual({
    shown,
    decided: shown,
  });
}

function expectLawful(played: Played, requestId: string): void {
  expectOneVerdict(played, requestId);
  expectPromptsBeforeVerdict(played, requestId);
  expectNothingAfterTombstone(played, requestId);
  expectDecisionPerPrompt(played, requestId);
}

describe("for any order of repeats, cancels, answers, receipts, cuts and kills", () => {
  it(
    "an ask has one end, byte-identical, that its journal keeps",
    async () => {
      await fc.assert(
        fc.asyncProperty(acts("kill", "cut", "mend"), async (all) =>
          play(all, (played) => {
            expect(played.unkeptAllows).toEqual([]);
            for (const id of PLAYED) expectLawful(played, id);
          }),
        ),
        { numRuns: runs(30) },
      );
    },
    LIMIT_MS,
  );
});

describe("for any order of them on a disk that fills up and empties", () => {
  it(
    "an ask has one end, an allow is always kept, and a prompt gets its decision",
    async () => {
      await fc.assert(
        fc.asyncProperty(acts("fill", "empty", "cut", "mend"), async (all) =>
          play(all, (played) => {
            expect(played.unkeptAllows).toEqual([]);
            for (const id of PLAYED) expectLawful(played, id);
          }),
        ),
        { numRuns: runs(30) },
      );
    },
    LIMIT_MS,
  );
});

import { setTimeout as pause } from "node:timers/promises";
import { SYSTEM_CLOCK } from "../src/ask/defaults.ts";
import { idleJournals } from "../src/journal/open-outbox.ts";
import type { AuditReads } from "../src/store/store.ts";

/** Records by two ways of counting that know nothing of each other. */
export interface RecordCounts {
  /** How many the sessions wrote, by the heads of the chains in their journals. */
  readonly written: number;
  /** How many rows the store has. */
  readonly kept: number;
  readonly deadLetters: number;
}

/** Counts what the sessions of a data folder wrote; called when all of them have ended. */
export async function countWritten(data: string): Promise<number> {
  let written = 0;
  for (const journal of idleJournals(data)) {
    using outbox = await journal.open(SYSTEM_CLOCK);
    written += outbox?.read.head().n ?? 0;
  }
  return written;
}

const LOOK_MS = 50;

/** Counts both ways until the store has what was written, or `deadlineMs` have passed. */
export async function countRecords(
  data: string,
  reads: AuditReads,
  deadlineMs: number,
): Promise<RecordCounts> {
  const written = await countWritten(data);
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const { records: kept, deadLetters } = await reads.counts();
    if (kept >= written || performance.now() > deadline) return { written, kept, deadLetters };
    await pause(LOOK_MS);
  }
}

/** What is wrong with the counts, as sentences; empty when the store has what was written, and nothing else. */
export function countProblems({ written, kept, deadLetters }: RecordCounts): readonly string[] {
  const aside = deadLetters === 0 ? [] : [`${String(deadLetters)} messages were set aside`];
  if (written === kept) return aside;
  return [...aside, `the sessions wrote ${String(written)} records, the store has ${String(kept)}`];
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Grant } from "../../src/ask/grant.ts";
import type { Clock } from "../../src/ask/ports.ts";
import type { RecordDraft } from "../../src/ask/record.ts";
import type { Journal, JournalWrites } from "../../src/journal/journal.ts";
import { type OpenJournalOptions, openJournal } from "../../src/journal/open-journal.ts";

/** The real time, for journals in tests. */
export const REAL_CLOCK: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

/** A fresh folder that goes with its scope. */
export function aFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), "journal-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens the journal of `session` (`session-1`) in the data folder `folder`. */
export async function openAt(
  folder: string,
  options: Partial<OpenJournalOptions> = {},
): Promise<Journal> {
  return openJournal({ folder, session: "session-1", clock: REAL_CLOCK, ...options });
}

/** What opening or changing a journal failed with; throws when it did not fail. */
export async function failureOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail.");
}

/** A record that belongs to no ask unless `requestId` is given. */
export function aDraft(of: Partial<RecordDraft> = {}): RecordDraft {
  return { kind: "review", requestId: null, body: { event: "audit.started" }, ...of };
}

/** An ask of a child, an hour long from epoch millisecond 1,000 on. */
export function aChildAsk(
  of: Partial<Parameters<JournalWrites["insertChildAsk"]>[0]> = {},
): Parameters<JournalWrites["insertChildAsk"]>[0] {
  return {
    requestId: "perm-1",
    parent: "parent-1",
    askDigest: "digest-1",
    createdAt: 1_000,
    expiresAt: 3_601_000,
    ...of,
  };
}

/** An ask of child `child-1`, received at 1,000 and over at 3,601,000. */
export function aServedAsk(
  of: Partial<Parameters<JournalWrites["insertServedAsk"]>[0]> = {},
): Parameters<JournalWrites["insertServedAsk"]>[0] {
  return {
    requestId: "perm-1",
    childToken: "child-1",
    askDigest: "digest-1",
    ask: '{"id":"perm-1"}',
    receivedAt: 1_000,
    deadlineAt: 3_601_000,
    ...of,
  };
}

/** A grant from 1,000 to 9,000 that was never used. */
export function aGrant(of: Partial<Grant> = {}): Grant {
  return {
    grantId: "grant-1",
    surface: "bash",
    pattern: "git push *",
    requestId: "perm-1",
    width: "proven",
    scope: "child_session",
    grantedBy: null,
    grantedAt: 1_000,
    expiresAt: 9_000,
    uses: 0,
    ...of,
  };
}

import type { Log } from "../ask/ports.ts";
import type { FeedEntry } from "../bus/record-feed.ts";
import type { RecordStream } from "../bus/record-stream.ts";
import type { AuditStore, Gap } from "../store/store.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** Finds what a stream handed out and a store has not, and has it read again. */
export interface SinkGaps {
  /** These were kept: a place that was left out makes its session suspect. */
  saw(entries: readonly FeedEntry[]): void;
  stop(): void;
}

/** What gaps are closed with. */
export interface GapParts {
  readonly stream: Pick<RecordStream, "reread">;
  readonly store: Pick<AuditStore, "gaps" | "chain">;
  /** Makes records durable; those that are there already stay as they are. */
  readonly keep: (entries: readonly FeedEntry[]) => Promise<void>;
  readonly log: Log;
  /** Longer than the server takes to hand out again what a dead sink left, in milliseconds. */
  readonly afterMs: number;
}

/** Records of a session reach the stream nearly in their order; what is older than that is not waited for. */
const BEFORE_MS = 60_000;

const MOST_SESSIONS = 10_000;

/** What is done about a gap, look by look: most are closed by what comes anyway. */
const TRIES = ["wait", "near", "all"] as const;

/**
 * Closes the gaps of a store from the stream: a server that is killed may forget what it had handed out to a sink
 * that was killed as well, and take it for acknowledged. A gap that a look finds is read again from about where it
 * is, then from the stream's beginning; what is not there is left to whoever asks for gaps.
 */
export function watchSinkGaps(parts: GapParts): SinkGaps {
  const { stream, store, log } = parts;
  const lastOf = new Map<string, number>();
  /** Sessions with a place that was left out, by how often it was looked at. */
  const suspects = new Map<string, number>();
  let looked = false;
  let stopped = false;

  const suspectAll = async (): Promise<void> => {
    for (const { sessionToken } of await store.gaps()) suspects.set(sessionToken, 0);
    looked = true;
  };
  const close = async (token: string, tries: number): Promise<void> => {
    const gaps = await store.gaps(token);
    const [first] = gaps;
    if (first === undefined || tries >= TRIES.length) {
      suspects.delete(token);
      if (first !== undefined) log.error({ session: token, gaps }, "records are not in the stream");
      return;
    }
    suspects.set(token, tries + 1);
    const way = TRIES[tries];
    if (way === "wait") return;
    const since = way === "near" ? await timeBefore(first) : null;
    log.warn({ session: token, gaps }, "records are missing and are read again");
    await stream.reread(since, async (entries) => {
      if (!stopped) await parts.keep(entries);
    });
  };
  const timeBefore = async ({ sessionToken, fromN }: Gap): Promise<number | null> => {
    const [before] = await store.chain(sessionToken, Math.max(1, fromN - 1), 1);
    return before === undefined || before.n >= fromN ? null : before.takenAt - BEFORE_MS;
  };
  const look = async (): Promise<void> => {
    const due = [...suspects];
    if (!looked) await suspectAll();
    for (const [token, tries] of due) {
      if (!stopped) await close(token, tries);
    }
  };
  const lookOnce = oneAtATime(look, (error) => log.warn({ err: error }, "missing records wait"));
  const timer = setInterval(lookOnce, parts.afterMs).unref();

  return {
    saw: (entries) => {
      if (lastOf.size >= MOST_SESSIONS) lastOf.clear();
      for (const entry of entries) {
        if (entry.kind !== "record") continue;
        const { sessionToken: token } = entry;
        const { n } = entry.head;
        const last = lastOf.get(token) ?? 0;
        if (n > last + 1 && !suspects.has(token)) suspects.set(token, 0);
        lastOf.set(token, Math.max(last, n));
      }
    },
    stop: () => {
      stopped = true;
      clearInterval(timer);
    },
  };
}

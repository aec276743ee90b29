import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Log } from "../../../src/ask/ports.ts";
import { watchSinkGaps } from "../../../src/audit/sink-gaps.ts";
import type { FeedEntry } from "../../../src/bus/record-feed.ts";
import type { Gap, StoredRecord } from "../../../src/store/store.ts";
import { anEntry } from "../../support/sink-scene.ts";

const AFTER_MS = 1_000;
const GAP: Gap = { sessionToken: "worker", fromN: 3, toN: 4 };

/** A store with a gap before and after each look, and what was asked of the stream. */
function aWatch(gapsOf: (look: number) => readonly Gap[]) {
  const asked: (number | null)[] = [];
  const kept: (readonly FeedEntry[])[] = [];
  const told: string[] = [];
  const note = (_fields: object, text: string): void => {
    told.push(text);
  };
  const log: Log = { debug: note, info: note, warn: note, error: note };
  let looks = 0;
  const before: Pick<StoredRecord, "n" | "takenAt"> = { n: 2, takenAt: 500_000 };
  const gaps = watchSinkGaps({
    stream: {
      reread: async (since, take) => {
        asked.push(since);
        await take([anEntry(3)]);
      },
    },
    store: {
      gaps: async (token) => {
        if (token !== undefined) looks += 1;
        return Promise.resolve(gapsOf(looks));
      },
      chain: async () => Promise.resolve([before as StoredRecord]),
    },
    keep: async (entries) => {
      kept.push(entries);
      return Promise.resolve();
    },
    log,
    afterMs: AFTER_MS,
  });
  return { gaps, asked, kept, told };
}

const looks = async (count: number): Promise<void> => {
  await vi.advanceTimersByTimeAsync(count * AFTER_MS);
};

describe("a sink whose store lacks a record", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("waits once, reads from near the gap, then all, then says that the stream lacks it too", async () => {
    const watch = aWatch(() => [GAP]);
    watch.gaps.saw([anEntry(1), anEntry(2), anEntry(5)]);
    await looks(1);
    expect(watch.asked).toEqual([]);
    await looks(1);
    expect(watch.asked).toEqual([500_000 - 60_000]);
    expect(watch.kept).toHaveLength(1);
    await looks(1);
    expect(watch.asked).toEqual([440_000, null]);
    await looks(5);
    expect(watch.asked).toEqual([440_000, null]);
    expect(watch.told.at(-1)).toBe("records are not in the stream");
    watch.gaps.stop();
  });

  it("reads nothing again when what was left out came by itself", async () => {
    const watch = aWatch(() => []);
    watch.gaps.saw([anEntry(1), anEntry(3)]);
    await looks(4);
    expect(watch.asked).toEqual([]);
    expect(watch.told).toEqual([]);
    watch.gaps.stop();
  });

  it("finds at its start what an earlier sink had left out", async () => {
    const watch = aWatch((look) => [GAP].slice(Math.floor(look / 3)));
    await looks(5);
    expect(watch.asked).toEqual([440_000]);
    watch.gaps.stop();
  });
});

import type { Clock, Log } from "../ask/ports.ts";
import type { RecordFeed } from "../bus/record-feed.ts";
import type { RecordStream } from "../bus/record-stream.ts";
import { RECORD_MAX_AGE_MS } from "../bus/stream-settings.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** What is known about how far a sink is. */
export interface SinkHealth {
  read(): {
    readonly pending: number | null;
    readonly lagMs: number | null;
    /** Why it is too far behind; null when it is not. */
    readonly behind: string | null;
  };
  /** Something was kept. */
  moved(): void;
  stop(): void;
}

/** What is looked at. */
export interface HealthParts {
  readonly stream: RecordStream;
  readonly feed: RecordFeed;
  readonly clock: Clock;
  readonly log: Log;
  /** When the server took the newest record that is kept; null before the first. */
  readonly lastTakenAt: () => number | null;
}

const LOOK_MS = 5_000;
const STALLED_MS = 15_000;
const LAG_ALARM_MS = 24 * 60 * 60 * 1000;
const STREAM_ALARM = 0.8;

/**
 * Looks every 5 s how far the sink is: an alarm from 24 h on, not ready from half of the stream's age on, where
 * records begin to be in danger. A reader that stands still although records wait is begun anew.
 */
export function watchSinkHealth(parts: HealthParts): SinkHealth {
  const { stream, feed, clock, log } = parts;
  const since = clock.now();
  let pending: number | null = null;
  let lagMs: number | null = null;
  let movedAt = clock.monotonic();
  let alarmed = false;
  let full = false;

  const look = async (): Promise<void> => {
    const facts = await feed.facts();
    if (facts === null) {
      pending = null;
      lagMs = null;
      return;
    }
    pending = facts.pending;
    const nothingWaits = facts.pending === 0 && facts.unacknowledged === 0;
    if (nothingWaits) movedAt = clock.monotonic();
    lagMs = nothingWaits ? 0 : Math.max(0, clock.now() - (parts.lastTakenAt() ?? since));
    tellLag(lagMs);
    if (facts.pending > 0 && clock.monotonic() - movedAt > STALLED_MS) {
      log.warn({ pending }, "records wait and none comes: the reader is begun anew");
      movedAt = clock.monotonic();
      feed.giveBack();
    }
    await lookAtStream();
  };
  const tellLag = (lag: number): void => {
    const late = lag > LAG_ALARM_MS;
    if (late && !alarmed) log.error({ lagMs: lag, pending }, "records are more than a day behind");
    alarmed = late;
  };
  const lookAtStream = async (): Promise<void> => {
    const facts = await stream.facts().catch(() => null);
    if (facts === null) return;
    const share = facts.maxBytes > 0 ? facts.bytes / facts.maxBytes : 0;
    if (share >= STREAM_ALARM && !full) {
      const percent = Math.floor(share * 100);
      log.error({ percent, ...facts }, "the audit stream fills up; when it is full records wait");
    }
    full = share >= STREAM_ALARM;
  };
  const lookOnce = oneAtATime(look, (error) =>
    log.warn({ err: error }, "the audit stream cannot be looked at"),
  );
  lookOnce();
  const timer = setInterval(lookOnce, LOOK_MS).unref();
  return {
    read: () => ({
      pending,
      lagMs,
      behind:
        lagMs !== null && lagMs > RECORD_MAX_AGE_MS / 2
          ? `records are ${String(Math.floor(lagMs / LAG_ALARM_MS))} days behind, and the stream keeps them 30`
          : null,
    }),
    moved: () => {
      movedAt = clock.monotonic();
    },
    stop: () => clearInterval(timer),
  };
}

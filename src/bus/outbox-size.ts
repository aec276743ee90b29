import type { Log } from "../ask/ports.ts";
import type { Outbox } from "../journal/journal.ts";
import { OUTBOX_LIMIT_BYTES } from "../journal/record-writer.ts";

const CHECK_EVERY = 50;

/** Tells when an outbox fills up: a warning from 50 % on, an alarm from 80 % on; once each until it falls back. */
export function watchOutboxSize(outbox: Outbox, log: Log): () => void {
  let told = 0;
  let calls = 0;
  return () => {
    calls += 1;
    if (calls % CHECK_EVERY !== 1) return;
    const { rows, bytes } = outbox.read.outboxSize();
    const share = bytes / OUTBOX_LIMIT_BYTES;
    const level = share >= 0.8 ? 2 : share >= 0.5 ? 1 : 0;
    if (level > told) {
      const fields = { session: outbox.session, rows, bytes, percent: Math.floor(share * 100) };
      log[level === 2 ? "error" : "warn"](
        fields,
        "the outbox fills up; when it is full no ask is answered any more",
      );
    }
    told = level;
  };
}

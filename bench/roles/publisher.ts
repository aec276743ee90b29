import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { connect } from "../../src/bus/connect.ts";
import type { OutboxPump } from "../../src/bus/outbox-pump.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { type OpenOutbox, openOutbox } from "../../src/journal/open-outbox.ts";
import { aRecord } from "../frame/a-record.ts";
import { serveRole } from "../frame/serve-role.ts";

const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const SPEAKER = "publisher";
const AT_ONCE = 1_000;

interface Filled {
  readonly session: string;
  readonly count: number;
}

/** Ships the outboxes of sessions that ended, as the next process on a folder does. */
await serveRole(
  async ({ url, data, ...shown }: { url: string; data: string; readonly token?: string }) => {
    const bus = await connect({ servers: url, session: SPEAKER, ...shown });
    const outboxOf = async (session: string): Promise<OpenOutbox> => {
      const outbox = await openOutbox({ folder: data, session, clock });
      if (outbox === null) throw new Error(`there is no journal of ${session}`);
      return outbox;
    };
    const drain = async (pump: OutboxPump, count: number): Promise<number> => {
      const begun = performance.now();
      if (!(await pump.drain(60_000))) throw new Error(`it stopped: ${String(pump.status().why)}`);
      return count / ((performance.now() - begun) / 1000);
    };
    return {
      fill: async ({ session, count }: Filled) => {
        await using journal = await openJournal({ folder: data, session, clock });
        for (let place = journal.read.head().n; place < count; ) {
          const end = Math.min(count, place + AT_ONCE);
          journal.write((tx) => {
            for (; place < end; place += 1) tx.record(aRecord(place), clock.now());
          });
        }
      },
      ship: async ({ session, count }: Filled) => {
        using outbox = await outboxOf(session);
        const pump = openOutboxPump({ bus, outbox, speaker: SPEAKER, clock, log: SILENT_LOG });
        const perSecond = await drain(pump, count);
        pump.close();
        return perSecond;
      },
    };
  },
);

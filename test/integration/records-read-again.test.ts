import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Log } from "../../src/ask/ports.ts";
import { openSink } from "../../src/audit/sink.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import type { AuditStore, NewBatch } from "../../src/store/store.ts";
import { startAuditServer } from "../support/audit-server.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../support/journal-parts.ts";
import { allServers } from "../support/nats-servers.ts";
import { until } from "../support/until.ts";

const servers = await allServers();

/** A store whose sink lost some records after they were acknowledged: what a killed server makes of a place. */
function forgetting(store: AuditStore, places: ReadonlySet<number>): AuditStore {
  const left = new Set(places);
  return {
    ...store,
    append: async (batch, keptAt) => {
      const records = batch.records.filter(({ n }) => !left.delete(n));
      const kept: NewBatch = { ...batch, records };
      return store.append(kept, keptAt);
    },
  };
}

describe.each(servers)("a sink on nats-server $version.text", (program) => {
  it("reads records again that the server takes for acknowledged and its store has not", async () => {
    await using audit = await startAuditServer({ program });
    using folder = aFolder();
    await using journal = await openAt(folder.path);
    await using bus = await audit.asSession("session-1");
    await using keeper = await audit.asSink();
    await using store = await openSqliteStore(join(folder.path, "audit", "records.sqlite"));
    const told: string[] = [];
    const note = (_fields: object, text: string): void => {
      told.push(text);
    };
    const log: Log = { debug: () => undefined, info: note, warn: note, error: note };
    await using _sink = await openSink({
      stream: keeper.records,
      port: keeper.port,
      store: forgetting(store, new Set([1, 3, 4, 9])),
      clock: REAL_CLOCK,
      log,
      gapsAfterMs: 200,
    });
    const pump = openOutboxPump({ bus, outbox: journal, clock: REAL_CLOCK, log });
    journal.write((tx) => {
      for (let k = 0; k < 10; k += 1) tx.record(aDraft({ requestId: "perm-1" }), Date.now());
    });
    await until("all ten records", async () => (await store.counts()).records === 10, 20_000);
    expect(await store.gaps()).toEqual([]);
    expect(told).toContain("records are missing and are read again");
    pump.close();
  }, 60_000);
});

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { openSink, type Sink } from "../../src/audit/sink.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openSqliteStore } from "../../src/store/sqlite-store.ts";
import type { AuditStore } from "../../src/store/store.ts";
import { type AuditServer, startAuditServer } from "../support/audit-server.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../support/journal-parts.ts";
import { allServers } from "../support/nats-servers.ts";
import { until } from "../support/until.ts";

const servers = await allServers();
const clock = REAL_CLOCK;
const log = SILENT_LOG;

/** A session that ships, and a store that keeps. */
interface Keeping extends AsyncDisposable {
  readonly audit: AuditServer;
  readonly journal: Journal;
  readonly store: AuditStore;
  readonly sink: Sink;
  record(count: number): void;
  /** Whether the session's link stands. */
  connected(): boolean;
  /** Publishes something on the session's audit subject. */
  publish(data: Uint8Array, kind?: string): void;
}

async function aKeeping(program: (typeof servers)[number]): Promise<Keeping> {
  const audit = await startAuditServer({ program });
  const folder = aFolder();
  const journal = await openAt(folder.path);
  const bus = await audit.asSession("session-1");
  const pump = openOutboxPump({ bus, outbox: journal, clock, log });
  const keeper = await audit.asSink();
  const store = await openSqliteStore(join(folder.path, "audit", "records.sqlite"));
  const sink = await openSink({ stream: keeper.records, port: keeper.port, store, clock, log });
  return {
    audit,
    journal,
    store,
    sink,
    record: (count) => {
      journal.write((tx) => {
        for (let k = 0; k < count; k += 1) tx.record(aDraft({ requestId: "perm-1" }), Date.now());
      });
    },
    connected: () => bus.port.connected(),
    publish: (data, kind = "review") => {
      bus.port.publish(`${audit.prefix}.audit.session-1.${kind}`, data);
    },
    [Symbol.asyncDispose]: async () => {
      await sink.close();
      pump.close();
      await store[Symbol.asyncDispose]();
      await keeper[Symbol.asyncDispose]();
      await bus[Symbol.asyncDispose]();
      await journal.close(false);
      await audit[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function expectKept(keeping: Keeping, count: number): Promise<void> {
  await until(
    `${String(count)} records`,
    async () => (await keeping.store.counts()).records === count,
    20_000,
  );
  expect(await keeping.store.gaps()).toEqual([]);
}

describe.each(servers)("a sink on nats-server $version.text", (program) => {
  it("keeps every record once, while they are written", async () => {
    await using keeping = await aKeeping(program);
    for (const count of [1, 1_500, 1, 700]) keeping.record(count);
    await expectKept(keeping, 2_202);
    expect(keeping.sink.status()).toMatchObject({ ready: true, kept: 2_202, duplicates: 0 });
  }, 40_000);

  it("goes on by itself after the server was restarted", async () => {
    await using keeping = await aKeeping(program);
    keeping.record(100);
    await expectKept(keeping, 100);
    await keeping.audit.server.kill();
    keeping.record(100);
    await keeping.audit.server.start();
    await expectKept(keeping, 200);
    await until("readiness", () => keeping.sink.status().ready, 10_000);
  }, 60_000);

  it("goes on after the server stood still longer than its heartbeats", async () => {
    await using keeping = await aKeeping(program);
    keeping.record(10);
    await expectKept(keeping, 10);
    keeping.audit.server.pause();
    keeping.record(10);
    await until("the lost link", () => !keeping.connected(), 15_000);
    keeping.audit.server.resume();
    await expectKept(keeping, 20);
  }, 60_000);

  it("sets messages aside that are no records, and keeps the record behind them", async () => {
    await using keeping = await aKeeping(program);
    const strays = ["what", "{", Buffer.from([0xff, 0xfe]), "[".repeat(400_000)];
    for (const stray of strays) keeping.publish(Buffer.from(stray));
    keeping.publish(Buffer.from("x"), "gossip");
    keeping.record(1);
    await expectKept(keeping, 1);
    const letters = await keeping.store.deadLetters(0, 10);
    expect(letters.map(({ fault }) => fault)).toEqual([
      "header_malformed",
      "header_malformed",
      "header_malformed",
      "header_malformed",
      "subject_unknown",
    ]);
    expect(keeping.sink.status()).toMatchObject({ ready: true, deadLetters: 5 });
  }, 40_000);

  it("finds its place again when a second sink takes the same store, and keeps nothing twice", async () => {
    await using keeping = await aKeeping(program);
    keeping.record(500);
    await expectKept(keeping, 500);
    await keeping.sink.close();
    keeping.record(500);
    await using keeper = await keeping.audit.asSink();
    await using sink = await openSink({
      stream: keeper.records,
      port: keeper.port,
      store: keeping.store,
      clock,
      log,
    });
    await expectKept(keeping, 1_000);
    expect(sink.status()).toMatchObject({ kept: 500, duplicates: 0 });
  }, 40_000);

  it("fills a new store with all that the stream still has", async () => {
    await using keeping = await aKeeping(program);
    using folder = aFolder();
    keeping.record(300);
    await expectKept(keeping, 300);
    await using store = await openSqliteStore(join(folder.path, "records.sqlite"));
    await using keeper = await keeping.audit.asSink();
    await using _sink = await openSink({
      stream: keeper.records,
      port: keeper.port,
      store,
      clock,
      log,
    });
    await until("300 records", async () => (await store.counts()).records === 300, 20_000);
    expect(await store.gaps()).toEqual([]);
  }, 40_000);

  it("takes a new place when its own was removed, and keeps nothing twice", async () => {
    await using keeping = await aKeeping(program);
    keeping.record(100);
    await expectKept(keeping, 100);
    await keeping.audit.remove("readers");
    keeping.record(100);
    await expectKept(keeping, 200);
    expect(keeping.sink.status()).toMatchObject({ kept: 200 });
  }, 40_000);

  it("says that the stream is gone, and keeps what comes when it was made anew", async () => {
    await using keeping = await aKeeping(program);
    keeping.record(100);
    await expectKept(keeping, 100);
    await keeping.audit.remove("stream");
    keeping.record(50);
    await until("the trouble", () => !keeping.sink.status().ready, 15_000);
    expect(keeping.sink.status().why).toContain("There is no audit stream AUDIT");
    expect(keeping.sink.status().why).toContain("askfabric audit provision");
    expect(await keeping.audit.provision()).toBe("made");
    await expectKept(keeping, 150);
    await until("readiness", () => keeping.sink.status().ready, 10_000);
  }, 60_000);
});

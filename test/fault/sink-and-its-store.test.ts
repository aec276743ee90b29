import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import { type Line, runProgram } from "../support/askfabric.ts";
import { type AuditServer, startAuditServer } from "../support/audit-server.ts";
import { aFolder } from "../support/journal-parts.ts";
import { besideProgram, onDisk, whyNoDisk } from "../support/journal-programs.ts";
import { allKept, keeping, openWriter, runSink, type Writer } from "../support/sink-process.ts";
import { until } from "../support/until.ts";

/** Everything a writer wrote, once, in an unbroken chain, and nothing else. */
async function expectWhole(store: string, writer: Writer): Promise<void> {
  expect(await allKept(store, writer)).toMatchObject([
    {
      session: writer.journal.session,
      records: writer.written(),
      lastN: writer.written(),
      hash: writer.journal.read.head().hash,
      faults: [],
    },
  ]);
  await using reads = await openSqliteReads(store);
  expect(await reads.removed()).toEqual([]);
  expect((await reads.counts()).deadLetters).toBe(0);
}

async function keptIn(store: string): Promise<number> {
  await using reads = await openSqliteReads(store);
  return (await reads.counts()).records;
}

const missing = whyNoDisk();
const because = missing === null ? "" : ` (not run: no disk can be mounted here, ${missing})`;

describe.skipIf(missing !== null)(`a sink whose store is on a small disk${because}`, () => {
  it("says that it is full, keeps what stood, and goes on by itself when there is room", async () => {
    await using audit = await startAuditServer();
    using folder = aFolder();
    const disk = join(folder.path, "disk");
    const fill = ["sh", "-c", 'head -c 12000000 /dev/zero > "$0" && exec "$@"'];
    const within = [...onDisk(disk, "size=16m"), ...fill, join(disk, "ballast")] as const;
    await using writer = await openWriter(audit, folder.path);
    const path = join(disk, "records.sqlite");
    await using sink = await keeping(runSink(audit, path, { data: folder.path, within }));
    const verified = async (): Promise<Line | undefined> => {
      const look = ["audit", "verify", "--store", path, "--json"];
      const program = runProgram(look, { within: besideProgram(sink.pid) });
      await program.ended(20_000);
      return program.lines[0]?.["verified"] as Line | undefined;
    };
    writer.write(4_000, 1_500);
    await until("the trouble", () => sink.stderr().includes('"records wait"'), 30_000);
    expect(sink.stderr()).toContain("free space on its disk; records wait in the stream meanwhile");
    expect(await verified()).toMatchObject({ faults: [] });
    expect((await verified())?.["lastN"]).toBeLessThan(4_000);
    rmSync(`/proc/${String(sink.pid)}/root${join(disk, "ballast")}`);
    await until("the all-clear", () => sink.stderr().includes("records are kept again"), 30_000);
    const all = 4_000;
    await until("the rest", async () => (await verified())?.["records"] === all, 60_000);
    const { hash } = writer.journal.read.head();
    expect(await verified()).toMatchObject({ records: 4_000, lastN: 4_000, hash, faults: [] });
    sink.kill("SIGTERM");
    expect(await sink.ended()).toBe(0);
  }, 120_000);

  it.each([
    ["full before there is a store", "size=8k", "is full|No space|full"],
    ["read-only", "size=1m,ro", "this user may write to"],
  ])(
    "ends with exit code 1 and the way out when it is %s",
    async (_, mount, words) => {
      await using audit = await startAuditServer();
      using folder = aFolder();
      const disk = join(folder.path, "disk");
      const path = join(disk, "records.sqlite");
      const within = onDisk(disk, mount);
      await using sink = runSink(audit, path, { data: folder.path, within });
      expect(await sink.ended(30_000)).toBe(1);
      expect(sink.stderr()).toMatch(new RegExp(words));
      expect(sink.stderr()).toContain(path);
      expect(sink.stderr()).not.toMatch(/^ +at /m);
    },
    60_000,
  );
});

describe("a sink", () => {
  const withServer = async (
    work: (audit: AuditServer, data: string, store: string) => Promise<void>,
  ): Promise<void> => {
    await using audit = await startAuditServer();
    using folder = aFolder();
    await work(audit, folder.path, join(folder.path, "audit", "records.sqlite"));
  };

  it(
    "waits while another program holds its store, says so, and goes on when it is let go",
    async () =>
      withServer(async (audit, data, store) => {
        await using writer = await openWriter(audit, data);
        await using sink = await keeping(runSink(audit, store, { data }));
        writer.write(200);
        await until("some records", async () => (await keptIn(store)) === 200, 20_000);
        const holder = new DatabaseSync(store, { timeout: 5_000 });
        holder.exec("BEGIN IMMEDIATE");
        writer.write(2_000);
        await until("the trouble", () => sink.stderr().includes("no other program holds"), 30_000);
        holder.exec("ROLLBACK");
        holder.close();
        await expectWhole(store, writer);
        sink.kill("SIGTERM");
        expect(await sink.ended()).toBe(0);
      }),
    120_000,
  );

  it(
    "shares its store with a second one, and nothing is lost or doubled when one is killed",
    async () =>
      withServer(async (audit, data, store) => {
        await using writer = await openWriter(audit, data);
        await using one = await keeping(runSink(audit, store, { data }));
        await using other = await keeping(runSink(audit, store, { data }));
        const more = async (): Promise<void> => {
          const before = await keptIn(store);
          writer.write(1_000);
          await until("some of them", async () => (await keptIn(store)) > before, 30_000);
        };
        for (let round = 0; round < 3; round += 1) await more();
        one.kill("SIGKILL");
        for (let round = 0; round < 3; round += 1) await more();
        await expectWhole(store, writer);
        other.kill("SIGTERM");
        expect(await other.ended()).toBe(0);
      }),
    120_000,
  );

  it(
    "keeps all in its own store whatever another one with another store does",
    async () =>
      withServer(async (audit, data, store) => {
        const second = join(data, "second.sqlite");
        await using writer = await openWriter(audit, data);
        await using one = await keeping(runSink(audit, store, { data }));
        await using other = await keeping(runSink(audit, second, { data }));
        writer.write(1_500);
        await until("some of them", async () => (await keptIn(store)) > 0, 30_000);
        other.kill("SIGKILL");
        await other.ended();
        writer.write(1_500);
        await expectWhole(store, writer);
        await using again = await keeping(runSink(audit, second, { data }));
        await expectWhole(second, writer);
        for (const sink of [one, again]) {
          sink.kill("SIGTERM");
          expect(await sink.ended()).toBe(0);
        }
      }),
    120_000,
  );

  it("ends with exit code 1 where there is no stream yet, and names who makes it", async () => {
    await using audit = await startAuditServer({ stream: false });
    using folder = aFolder();
    const store = join(folder.path, "records.sqlite");
    await using sink = runSink(audit, store, { data: folder.path });
    expect(await sink.ended(30_000)).toBe(1);
    expect(sink.stderr()).toContain('run "askfabric audit provision"');
    await audit.provision();
    await using writer = await openWriter(audit, folder.path);
    writer.write(10);
    await using again = await keeping(runSink(audit, store, { data: folder.path }));
    await expectWhole(store, writer);
    again.kill("SIGTERM");
    expect(await again.ended()).toBe(0);
  }, 60_000);

  it(
    "says that the stream is gone, and keeps what comes once it was made anew",
    async () =>
      withServer(async (audit, data, store) => {
        await using writer = await openWriter(audit, data);
        await using sink = await keeping(runSink(audit, store, { data }));
        writer.write(500);
        await until("the first ones", async () => (await keptIn(store)) === 500, 20_000);
        await audit.remove("stream");
        writer.write(500);
        await until(
          "the trouble",
          () => sink.stderr().includes("There is no audit stream"),
          30_000,
        );
        await audit.provision();
        await expectWhole(store, writer);
        await until("the all-clear", () => sink.stderr().includes("records are read again"));
        sink.kill("SIGTERM");
        expect(await sink.ended()).toBe(0);
      }),
    120_000,
  );

  it(
    "says that its account is cut off or its server away, and goes on when it is let in again",
    async () =>
      withServer(async (audit, data, store) => {
        await using writer = await openWriter(audit, data);
        await using sink = await keeping(runSink(audit, store, { data }));
        const says = async (words: RegExp): Promise<unknown> =>
          until(String(words), () => words.test(sink.stderr()), 30_000);
        writer.write(200);
        await until("the first ones", async () => (await keptIn(store)) === 200, 20_000);
        audit.shut("sink");
        await says(/the link to \S+ is lost.*lets this sink in no more \(/s);
        writer.write(200);
        audit.shut("nobody");
        await says(/the link stands again/);
        await expectWhole(store, writer);
        await audit.server.kill();
        await says(/stands again.*is lost/s);
        writer.write(200);
        await audit.server.start();
        await expectWhole(store, writer);
        sink.kill("SIGTERM");
        expect(await sink.ended()).toBe(0);
      }),
    120_000,
  );
});

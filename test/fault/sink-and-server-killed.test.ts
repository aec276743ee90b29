import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { type SessionVerdict, verifyStore } from "../../src/audit/verify.ts";
import { openOutboxPump } from "../../src/bus/outbox-pump.ts";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import type { AuditReads } from "../../src/store/store.ts";
import { type RunningProgram, runProgram } from "../support/askfabric.ts";
import { startAuditServer } from "../support/audit-server.ts";
import { aDraft, aFolder, openAt, REAL_CLOCK } from "../support/journal-parts.ts";
import type { TestServer } from "../support/nats-launcher.ts";
import { until } from "../support/until.ts";
import { openUpBench } from "../support/up-bench.ts";

/** What dies with the sink, by turns: nothing, and the server. */
const DEATHS: readonly ((server: TestServer) => Promise<void>)[] = [
  async () => Promise.resolve(),
  async (server) => {
    await server.kill();
    await server.start();
  },
];

async function verdictsOf(reads: AuditReads): Promise<readonly SessionVerdict[]> {
  const verdicts: SessionVerdict[] = [];
  for await (const verdict of verifyStore(reads)) verdicts.push(verdict);
  return verdicts;
}

/** Kills, and records between the first and the last of them; more with `npm run test:faults`. */
const ROUNDS = Number(process.env["ASKFABRIC_TEST_KILLS"] ?? 4);
const RECORDS = Number(process.env["ASKFABRIC_TEST_RECORDS"] ?? 1_000);

it(`every record is kept once while sink and server are killed ${String(ROUNDS)} times`, async () => {
  await using audit = await startAuditServer();
  using folder = aFolder();
  const store = join(folder.path, "audit", "records.sqlite");
  const secret = join(folder.path, "sink.secret");
  writeFileSync(secret, "s1nk\n", { mode: 0o600 });
  const startSink = async (): Promise<RunningProgram> => {
    const where = ["--url", audit.server.url, "--fleet", "crew", "--data", folder.path];
    const program = runProgram([
      "audit",
      "run",
      "--store",
      store,
      "--secret-file",
      secret,
      ...where,
    ]);
    await program.line("the ready line", (line) => line["ready"] as true | undefined, 30_000);
    return program;
  };

  await using journal = await openAt(folder.path);
  await using bus = await audit.asSession("session-1");
  const pump = openOutboxPump({
    bus,
    outbox: journal,
    clock: REAL_CLOCK,
    log: SILENT_LOG,
  });
  let written = 0;
  const write = (upTo: number): void => {
    journal.write((tx) => {
      for (; written < upTo; written += 1) {
        const body = { event: "permission_request.waiting", filler: "x".repeat(written % 2_000) };
        tx.record(aDraft({ requestId: `perm-${String(written)}`, body }), Date.now());
      }
    });
  };

  let sink = await startSink();
  await using reads = await openSqliteReads(store);
  const kept = async (): Promise<number> => (await reads.counts()).records;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = await kept();
    write(Math.ceil((RECORDS * (round + 1)) / ROUNDS));
    // In the midst of it: some of this round are kept, others on their way.
    await until("a record of this round", async () => (await kept()) > before, 60_000);
    sink.kill("SIGKILL");
    await sink.ended();
    await DEATHS[round % 2]?.(audit.server);
    sink = await startSink();
  }
  await until("the last record", async () => (await kept()) === RECORDS, 60_000);
  sink.kill("SIGTERM");
  expect(await sink.ended()).toBe(0);
  expect(await pump.drain(20_000)).toBe(true);
  pump.close();

  const verdicts = await verdictsOf(reads);
  expect(verdicts).toMatchObject([
    { session: "session-1", records: RECORDS, firstN: 1, lastN: RECORDS, faults: [] },
  ]);
  expect(verdicts[0]?.hash).toBe(journal.read.head().hash);
  expect(await reads.counts()).toEqual({ records: RECORDS, deadLetters: 0 });
}, 600_000);

it("up that is killed in the midst of it goes on with the same stream, store and outboxes", async () => {
  await using bench = await openUpBench();
  const reads = await bench.reads();
  for (let round = 0; round < 2; round += 1) {
    const lead = await bench.serve("lead", ["--terminal", "deny"]);
    const ask = ["--parent", "lead", "--tool", "bash", "--input", '{"command":"git push"}'];
    const asks = [1, 2, 3].map(() => bench.run(["ask", "--session", "worker", ...ask]));
    bench.up.kill("SIGKILL");
    await bench.startAgain();
    for (const one of asks) await one.ended(60_000);
    lead.kill("SIGTERM");
    await lead.ended();
  }
  await until(
    "the end of every session",
    async () => (await reads.list({ event: "audit.stopped" }, 0, 100)).length === 8,
    60_000,
  );
  // What was handed out to a sink that died comes again 10 s later.
  await until("no gap", async () => (await reads.gaps()).length === 0, 60_000);
  const verdicts = await verdictsOf(reads);
  expect(verdicts.flatMap(({ faults }) => faults)).toEqual([]);
  expect(verdicts.map(({ session }) => session)).toEqual(["lead", "worker"]);
}, 200_000);

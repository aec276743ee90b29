import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { idleJournals } from "../../src/journal/open-outbox.ts";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import type { AuditReads } from "../../src/store/store.ts";
import type { Line } from "../support/askfabric.ts";
import { until } from "../support/until.ts";
import { openUpBench } from "../support/up-bench.ts";

const ASK = ["--tool", "bash", "--input", '{"command":"git push"}', "--parent", "lead"];

const readyLine = (line: Line): Line | undefined => (line["ready"] === true ? line : undefined);

async function eventsOf(reads: AuditReads, sessionToken: string): Promise<readonly string[]> {
  const records = await reads.list({ sessionToken }, 0, 1_000);
  return records.map(({ event, kind }) => event ?? kind);
}

it("up keeps what a parent and a one-shot ask write, in both chains without a gap", async () => {
  await using bench = await openUpBench();
  await bench.serve("lead", ["--terminal", "deny"]);
  const ask = bench.run(["ask", "--session", "worker", ...ASK]);
  expect(await ask.ended()).toBe(3);
  const reads = await bench.reads();
  await until(
    "the last record of the child",
    async () => (await eventsOf(reads, "worker")).includes("audit.stopped"),
    15_000,
  );
  await until("the parent's decision", async () =>
    (await eventsOf(reads, "lead")).includes("decision"),
  );
  const child = await eventsOf(reads, "worker");
  expect(child[0]).toBe("audit.started");
  expect(child).toContain("forwarded_permission.request_created");
  expect(child.at(-1)).toBe("audit.stopped");
  expect(await reads.gaps()).toEqual([]);
  expect((await reads.counts()).deadLetters).toBe(0);
}, 60_000);

it("what an ask left behind while no server ran is shipped by the next up", async () => {
  await using bench = await openUpBench();
  bench.up.kill("SIGTERM");
  expect(await bench.up.ended()).toBe(0);
  const ask = bench.run(["ask", "--session", "worker", ...ASK]);
  expect(await ask.ended()).toBe(3);
  expect(idleJournals(bench.data).length).toBe(1);
  await bench.startAgain();
  const reads = await bench.reads();
  await until(
    "the records",
    async () => (await eventsOf(reads, "worker")).includes("audit.stopped"),
    20_000,
  );
  expect(await reads.gaps()).toEqual([]);
}, 60_000);

it("what a killed parent had written last is shipped while up runs", async () => {
  await using bench = await openUpBench();
  const lead = await bench.serve("lead");
  const reads = await bench.reads();
  lead.kill("SIGKILL");
  await lead.ended();
  await until(
    "its first records",
    async () => (await eventsOf(reads, "lead")).includes("forwarded_permission.serving_started"),
    20_000,
  );
  expect(await reads.gaps()).toEqual([]);
}, 60_000);

it("audit run keeps records into a store of its own beside up, with the folder's secret", async () => {
  await using bench = await openUpBench();
  const store = join(bench.data, "second.sqlite");
  const audit = bench.run(["audit", "run", "--store", store]);
  const line = await audit.line("the ready line", readyLine);
  expect(line).toMatchObject({ store, stream: "AUDIT" });
  await bench.serve("lead", ["--terminal", "deny"]);
  await using reads = await openSqliteReads(store);
  await until("a record in the second store", async () => (await reads.counts()).records > 0);
  audit.kill("SIGTERM");
  expect(await audit.ended()).toBe(0);
}, 60_000);

it("audit provision finds the stream as it should be, and names what differs", async () => {
  await using bench = await openUpBench();
  const check = bench.run(["audit", "provision"]);
  expect(await check.ended()).toBe(0);
  expect(check.lines).toMatchObject([{ check: "stream", status: "ok" }]);
  const other = bench.run(["audit", "provision", "--stream-bytes", "1073741824"]);
  expect(await other.ended()).toBe(1);
  expect(other.stderr()).toMatch(/max_bytes is 4294967296 and must be 1073741824/);
  const change = bench.run(["audit", "provision", "--stream-bytes", "1073741824", "--change"]);
  expect(await change.ended()).toBe(0);
  expect(change.lines).toMatchObject([{ text: expect.stringContaining("changed") as string }]);
}, 60_000);

it("audit run says what is missing where no secret is", async () => {
  await using bench = await openUpBench();
  const url = String(bench.up.lines[0]?.["url"]);
  const file = join(bench.data, "no.secret");
  const audit = bench.run(["audit", "run", "--url", url, "--secret-file", file]);
  expect(await audit.ended()).toBe(1);
  expect(audit.stderr()).toMatch(/no secret of the sink: .*no\.secret is not there; .*--creds/);
}, 60_000);

it("up refuses a folder whose stream is not as it is told, names the difference and leaves nothing running", async () => {
  await using bench = await openUpBench();
  bench.up.kill("SIGTERM");
  await bench.up.ended();
  const other = bench.run(["up", "--stream-bytes", "1073741824"]);
  expect(await other.ended(20_000)).toBe(1);
  expect(other.stderr()).toMatch(/max_bytes is 4294967296 and must be 1073741824\. Nothing was/);
  expect(other.lines).toEqual([]);
  await bench.startAgain();
}, 60_000);

it("records go on being kept after the server below up was killed", async () => {
  await using bench = await openUpBench();
  await bench.serve("lead", ["--terminal", "deny"]);
  const reads = await bench.reads();
  process.kill(serverBelow(bench.up.pid), "SIGKILL");
  const ask = bench.run(["ask", "--session", "worker", ...ASK]);
  await ask.ended(60_000);
  await until(
    "the records of the ask",
    async () => (await eventsOf(reads, "worker")).includes("audit.stopped"),
    40_000,
  );
  expect(await reads.gaps()).toEqual([]);
}, 120_000);

/** The nats-server that a process started. */
function serverBelow(pid: number): number {
  const below = execFileSync("ps", ["-o", "pid=,comm=", "--ppid", String(pid)]).toString();
  return Number(/(\d+) nats-server/.exec(below)?.[1]);
}

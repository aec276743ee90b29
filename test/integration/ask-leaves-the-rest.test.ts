import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import { runProgram } from "../support/askfabric.ts";
import { startAuditServer } from "../support/audit-server.ts";
import { aFolder } from "../support/journal-parts.ts";
import { keeping, runSink } from "../support/sink-process.ts";
import { until } from "../support/until.ts";

/** Far above what an ask waits for its last records, far below what a caller would take for hanging. */
const MOST_MS = 10_000;

it("an ask ends although nobody acknowledges its records, and the next process on the folder ships them", async () => {
  await using audit = await startAuditServer({ stream: false });
  using folder = aFolder();
  const token = join(folder.path, "token");
  writeFileSync(token, "t0ken\n", { mode: 0o600 });
  // Somebody listens, so that the server does not say that nobody does, and says nothing.
  const mute = await audit.listenMutely();
  const where = ["--url", audit.server.url, "--fleet", "crew", "--data", folder.path];
  const call = ["--tool", "bash", "--input", '{"command":"git push"}', "--token-file", token];
  const ask = runProgram(["ask", "--session", "worker", ...call, ...where]);
  await ask.line("the outcome", (line) => line["outcome"] as string | undefined);
  const from = performance.now();
  expect(await ask.ended(MOST_MS)).toBe(3);
  expect(performance.now() - from).toBeLessThan(MOST_MS);
  expect(mute.heard()).toBeGreaterThan(0);
  await mute.end();

  await audit.provision();
  const store = join(folder.path, "audit", "records.sqlite");
  const env = { ASKFABRIC_TOKEN_FILE: token };
  await using sink = await keeping(runSink(audit, store, { data: folder.path, env }));
  await using reads = await openSqliteReads(store);
  await until(
    "the end of the session's process",
    async () => (await reads.list({ event: "audit.stopped" }, 0, 1)).length === 1,
    30_000,
  );
  expect(await reads.gaps()).toEqual([]);
  sink.kill("SIGTERM");
  expect(await sink.ended()).toBe(0);
}, 90_000);

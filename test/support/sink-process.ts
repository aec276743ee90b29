import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SILENT_LOG } from "../../src/ask/defaults.ts";
import { type SessionVerdict, verifyStore } from "../../src/audit/verify.ts";
import { type OutboxPump, openOutboxPump } from "../../src/bus/outbox-pump.ts";
import { sessionToken } from "../../src/bus/tokens.ts";
import type { Journal } from "../../src/journal/journal.ts";
import { openSqliteReads } from "../../src/store/sqlite-store.ts";
import type { AuditReads } from "../../src/store/store.ts";
import { type RunningProgram, type RunOptions, runProgram } from "./askfabric.ts";
import type { AuditServer } from "./audit-server.ts";
import { aDraft, openAt, REAL_CLOCK } from "./journal-parts.ts";
import { until } from "./until.ts";

/** Runs `audit run` on a store, as the sink of a test's server. */
export function runSink(
  audit: AuditServer,
  store: string,
  options: RunOptions & { readonly data: string },
): RunningProgram {
  const secret = join(options.data, "sink.secret");
  writeFileSync(secret, "s1nk\n", { mode: 0o600 });
  const where = ["--url", audit.server.url, "--fleet", "crew", "--data", options.data];
  const args = ["audit", "run", "--store", store, "--secret-file", secret, ...where];
  return runProgram(args, options);
}

/** Waits until a sink keeps records. */
export async function keeping(sink: RunningProgram): Promise<RunningProgram> {
  await sink.line("the ready line", (line) => line["ready"] as true | undefined, 30_000);
  return sink;
}

/** A session in this process whose records leave by themselves. */
export interface Writer extends AsyncDisposable {
  readonly journal: Journal;
  readonly pump: OutboxPump;
  /** Writes so many records with bodies of about `bytes`. */
  write(count: number, bytes?: number): void;
  written(): number;
}

/** Opens one on a data folder. */
export async function openWriter(
  audit: AuditServer,
  folder: string,
  session = "session-1",
): Promise<Writer> {
  const journal = await openAt(folder, { session });
  const bus = await audit.asSession(session);
  const pump = openOutboxPump({ bus, outbox: journal, clock: REAL_CLOCK, log: SILENT_LOG });
  let written = 0;
  return {
    journal,
    pump,
    written: () => written,
    write: (count, bytes = 300) => {
      journal.write((tx) => {
        for (let k = 0; k < count; k += 1) {
          written += 1;
          const body = { event: "permission_request.waiting", filler: "x".repeat(bytes) };
          tx.record(aDraft({ requestId: `perm-${String(written)}`, body }), Date.now());
        }
      });
    },
    [Symbol.asyncDispose]: async () => {
      pump.close();
      await bus[Symbol.asyncDispose]();
      await journal[Symbol.asyncDispose]();
    },
  };
}

/** Waits until a store has everything that a writer wrote; what it then says of each session. */
export async function allKept(
  store: string,
  writer: Writer,
  deadlineMs = 60_000,
): Promise<readonly SessionVerdict[]> {
  await using reads = await until("the store", async () =>
    openSqliteReads(store).catch(() => undefined),
  );
  await until(
    `${String(writer.written())} records`,
    async () => (await reads.counts()).records >= writer.written(),
    deadlineMs,
  );
  return await verdictsOf(reads);
}

/** Waits until a store has a session's `event`; what it then says of each session. */
export async function allKeptOf(
  store: string,
  session: string,
  event: string,
): Promise<readonly SessionVerdict[]> {
  await using reads = await openSqliteReads(store);
  const filter = { sessionToken: sessionToken(session), event };
  await until(event, async () => (await reads.list(filter, 0, 1)).length === 1, 30_000);
  return await verdictsOf(reads);
}

/** What a store says of each session. */
export async function verdictsOf(reads: AuditReads): Promise<readonly SessionVerdict[]> {
  const verdicts: SessionVerdict[] = [];
  for await (const verdict of verifyStore(reads)) verdicts.push(verdict);
  return verdicts;
}

import { RECORD_KINDS, type RecordKind } from "../ask/record.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { AuditReads, RecordFilter, StoredRecord } from "../store/store.ts";
import { openStoreReads, readTime, type StoreFlags } from "./audit-store.ts";
import { filled, stamp, wholeLine } from "./audit-text.ts";
import { CommandError, EXIT } from "./failure.ts";
import { type Io, printLine } from "./io.ts";
import { recordLine } from "./record-line.ts";

/** Flags of `audit list`. */
export interface ListFlags extends StoreFlags {
  readonly session?: string;
  readonly request?: string;
  readonly toolCall?: string;
  readonly kind?: string;
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit: number;
  readonly all?: boolean;
}

const PAGE = 500;

/** Shows records in the order they came: the newest ones, or all. */
export async function runList(flags: ListFlags, io: Io): Promise<number> {
  await using reads = await openStoreReads(flags, io);
  let shown = 0;
  for await (const record of recordsOf(reads, flags, io)) {
    if (io.stop.aborted) return EXIT.ok;
    showRecord(record, flags, io);
    shown += 1;
  }
  if (shown === 0 && flags.json !== true) io.write("no record fits\n");
  return EXIT.ok;
}

async function* recordsOf(
  reads: AuditReads,
  flags: ListFlags,
  io: Io,
): AsyncGenerator<StoredRecord> {
  const filter = filterOf(flags, io);
  if (flags.all !== true) {
    const newest = await reads.listBack(filter, Number.MAX_SAFE_INTEGER, flags.limit);
    yield* newest.toReversed();
    return;
  }
  let page = await reads.list(filter, 0, PAGE);
  while (page.length > 0) {
    yield* page;
    page = await reads.list(filter, page.at(-1)?.place ?? 0, PAGE);
  }
}

function showRecord(stored: StoredRecord, { json, width }: ListFlags, io: Io): void {
  const line = recordLine(stored);
  if (json === true) return printLine(io, line);
  const { session, n, time, what, requestId } = line.record;
  const id = requestId === null ? "" : `  ${requestId}`;
  const place = `${filled(session, 16)} ${String(n).padStart(6)}`;
  io.write(wholeLine(`${stamp(time)}  ${place}  ${what}${id}`, width));
}

function filterOf(flags: ListFlags, io: Io): RecordFilter {
  const { session, request, toolCall, kind, event, since, until } = flags;
  return {
    ...(session ? { sessionToken: sessionToken(session) } : {}),
    ...(request ? { requestId: request } : {}),
    ...(toolCall ? { toolCallId: toolCall } : {}),
    ...(kind ? { kind: kindOf(kind) } : {}),
    ...(event ? { event } : {}),
    ...(since ? { since: readTime(since, "--since", io) } : {}),
    ...(until ? { until: readTime(until, "--until", io) } : {}),
  };
}

function kindOf(given: string): RecordKind {
  const known = RECORD_KINDS.find((kind) => kind === given);
  if (known !== undefined) return known;
  throw new CommandError(`--kind ${JSON.stringify(given)} is none; use ${RECORD_KINDS.join(", ")}`);
}

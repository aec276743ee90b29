import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { RecordHeader } from "../../src/ask/record.ts";
import type { Journal, OutboxRow } from "../../src/journal/journal.ts";

const HEADER_KEYS = [
  "eventId",
  "session",
  "n",
  "prev",
  "kind",
  "time",
  "requestId",
  "incarnation",
  "bodyDigest",
].join();

/** Reads a record's header from its bytes. */
export function headerOf(row: OutboxRow): RecordHeader {
  return JSON.parse(Buffer.from(row.header).toString("utf8")) as RecordHeader;
}

/** Reads a record's body from its bytes. */
export function bodyOf(row: OutboxRow): Record<string, unknown> {
  return JSON.parse(Buffer.from(row.body).toString("utf8")) as Record<string, unknown>;
}

/**
 * What is wrong with the chain that a journal's outbox holds, computed from the bytes alone: places
 * from 1 without a gap, each header pointing at the one before, each digest over salt and body, the
 * keys in their order, the counters equal to what is there. Empty when all is well.
 */
export function chainFaults(journal: Journal): readonly string[] {
  const rows = journal.read.outbox(1, Number.MAX_SAFE_INTEGER);
  const hashes = rows.map((row) => hash("sha256", row.header, "base64url"));
  const faults = rows.flatMap((row, index) =>
    rowFaults(row, {
      session: journal.session,
      n: index + 1,
      prev: hashes[index - 1] ?? null,
    }).map((fault) => `record ${String(index + 1)} ${fault}`),
  );
  const found = {
    head: { n: rows.length, hash: hashes.at(-1) ?? "" },
    size: { rows: rows.length, bytes: rows.reduce((sum, row) => sum + sizeOf(row), 0) },
    eventIds: new Set(rows.map((row) => headerOf(row).eventId)).size,
  };
  const told = {
    head: journal.read.head(),
    size: journal.read.outboxSize(),
    eventIds: rows.length,
  };
  if (!isDeepStrictEqual(found, told)) {
    faults.push(`the journal tells ${JSON.stringify(told)} of ${JSON.stringify(found)}`);
  }
  return faults;
}

function rowFaults(
  row: OutboxRow,
  place: Pick<RecordHeader, "session" | "n" | "prev">,
): readonly string[] {
  const header = headerOf(row);
  const digest = hash("sha256", Buffer.concat([row.salt, row.body]), "base64url");
  const checks: readonly (readonly [boolean, string])[] = [
    [row.n === place.n && header.n === place.n, "has another place"],
    [header.prev === place.prev, "does not point at the record before"],
    [header.session === place.session, "names another session"],
    [header.bodyDigest === digest, "has another digest than its body"],
    [Object.keys(header).join() === HEADER_KEYS, "has other keys"],
  ];
  return checks.flatMap(([holds, fault]) => (holds ? [] : [fault]));
}

function sizeOf(row: OutboxRow): number {
  return row.header.length + row.salt.length + row.body.length;
}

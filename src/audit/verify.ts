import { hash } from "node:crypto";
import { RECORD_SALT_BYTES, type RecordHeader } from "../ask/record.ts";
import { recordDigest, recordNames } from "../bus/record-bytes.ts";
import { sessionToken } from "../bus/tokens.ts";
import {
  type AuditReads,
  filedText,
  filedTime,
  type RemovedRows,
  type StoredRecord,
} from "../store/store.ts";
import { type ReadableRecord, readStored } from "./read-record.ts";

/** What is wrong with a session's records, and where. */
export type VerifyFault =
  /** Records that are not there although later ones are. */
  | { readonly fault: "missing"; readonly fromN: number; readonly toN: number }
  /** A header does not point at the record before it: one of the two is not what was written. */
  | { readonly fault: "chain_broken"; readonly n: number }
  /** Two records claim one place. */
  | { readonly fault: "forked"; readonly n: number }
  /** A body or its salt is not what its header was computed over, or one of them is gone without the other. */
  | { readonly fault: "body_changed"; readonly n: number }
  /** The columns that a record is found by say something else than its bytes. */
  | { readonly fault: "columns_differ"; readonly n: number }
  /** The header bytes are no header. */
  | { readonly fault: "header_unreadable"; readonly n: number };

/** What became of verifying one session. */
export interface SessionVerdict {
  /** Its name as its records give it; its token where no header can be read. */
  readonly session: string;
  readonly sessionToken: string;
  readonly records: number;
  readonly firstN: number;
  readonly lastN: number;
  /** Base64url SHA-256 of the last header's bytes: what the session's heartbeat says when nothing is missing. */
  readonly hash: string;
  /** Bodies that were erased; their headers still hold the chain. */
  readonly erased: number;
  readonly faults: readonly VerifyFault[];
}

/** What is wrong with a store and cannot be laid to one session. */
export type StoreFault =
  /** Rows that were kept and are gone; places count what came into the store. */
  | ({ readonly fault: "removed" } & RemovedRows)
  /** A message that was set aside is not the one that came. */
  | { readonly fault: "dead_letter_changed"; readonly place: number };

const PAGE = 500;

/** Checks every session of a store, or one, in the order of their tokens. */
export async function* verifyStore(
  reads: AuditReads,
  only?: string,
): AsyncGenerator<SessionVerdict> {
  for (const { sessionToken: token } of await reads.sessions()) {
    if (only === undefined || token === only) yield await verifySession(reads, token);
  }
}

/** Checks what no chain of a session holds: that no row was removed, and that what was set aside is as it came. */
export async function* verifyRows(reads: AuditReads): AsyncGenerator<StoreFault> {
  for (const rows of await reads.removed()) yield { fault: "removed", ...rows };
  let page = await reads.deadLetters(0, PAGE);
  while (page.length > 0) {
    for (const { place, whole } of page) if (!whole) yield { fault: "dead_letter_changed", place };
    page = await reads.deadLetters(page.at(-1)?.place ?? 0, PAGE);
  }
}

interface Last {
  readonly n: number;
  /** Null before the first. */
  readonly hash: string | null;
}

async function verifySession(reads: AuditReads, token: string): Promise<SessionVerdict> {
  const faults: VerifyFault[] = [];
  let name = token;
  let last: Last = { n: 0, hash: null };
  let records = 0;
  let firstN = 0;
  let erased = 0;
  for await (const stored of chainOf(reads, token)) {
    records += 1;
    if (records === 1) firstN = stored.n;
    if (stored.body === null) erased += 1;
    const read = readStored(stored);
    faults.push(...placeFaults(stored, last, read?.head ?? null), ...ownFaults(stored, read));
    name = read?.head.session ?? name;
    last = { n: stored.n, hash: hash("sha256", stored.header, "base64url") };
  }
  return {
    session: name,
    sessionToken: token,
    records,
    firstN,
    lastN: last.n,
    hash: last.hash ?? "",
    erased,
    faults,
  };
}

async function* chainOf(reads: AuditReads, token: string): AsyncGenerator<StoredRecord> {
  let fromN = 0;
  let seen = new Set<number>();
  for (;;) {
    const page = await reads.chain(token, fromN, PAGE + seen.size);
    const fresh = page.filter(({ place }) => !seen.has(place));
    yield* fresh;
    const end = page.at(-1);
    if (end === undefined || fresh.length === 0) return;
    // The page may have ended among records that claim one place.
    fromN = end.n;
    seen = new Set(page.filter(({ n }) => n === end.n).map(({ place }) => place));
  }
}

function placeFaults(
  { n }: StoredRecord,
  last: Last,
  head: RecordHeader | null,
): readonly VerifyFault[] {
  if (n === last.n) return [{ fault: "forked", n }];
  if (n > last.n + 1) return [{ fault: "missing", fromN: last.n + 1, toN: n - 1 }];
  return head === null || head.prev === last.hash ? [] : [{ fault: "chain_broken", n }];
}

function ownFaults(stored: StoredRecord, read: ReadableRecord | null): readonly VerifyFault[] {
  const { n, salt, body } = stored;
  if (read === null) return [{ fault: "header_unreadable", n }];
  const faults: VerifyFault[] = [];
  if (!isBodyRight({ salt, body }, read.head)) faults.push({ fault: "body_changed", n });
  if (!isFiledRight(stored, read)) faults.push({ fault: "columns_differ", n });
  return faults;
}

function isBodyRight(
  { salt, body }: Pick<StoredRecord, "salt" | "body">,
  { bodyDigest }: RecordHeader,
): boolean {
  if (salt === null || body === null) return salt === body;
  return salt.length === RECORD_SALT_BYTES && recordDigest(salt, body) === bodyDigest;
}

function isFiledRight(stored: StoredRecord, { head, content }: ReadableRecord): boolean {
  const pairs: readonly (readonly [unknown, unknown])[] = [
    [head.n, stored.n],
    [head.eventId, stored.eventId],
    [head.kind, stored.kind],
    [head.requestId, stored.requestId],
    [filedTime(head.time), stored.time],
    [sessionToken(head.session), stored.sessionToken],
    ...(stored.body === null ? [] : namesIn(stored, content)),
  ];
  return pairs.every(([held, filed]) => asFiled(held) === asFiled(filed));
}

const asFiled = (value: unknown): unknown => (typeof value === "string" ? filedText(value) : value);

function namesIn(
  { event, wireId, toolCallId }: StoredRecord,
  content: ReadableRecord["content"],
): readonly (readonly [unknown, unknown])[] {
  const held = recordNames(content ?? {});
  return [
    [held.event, event],
    [held.wireId, wireId],
    [held.toolCallId, toolCallId],
  ];
}

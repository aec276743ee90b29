import { hash, randomBytes } from "node:crypto";
import type { Incarnation } from "../ask/messages.ts";
import { RECORD_SALT_BYTES, type RecordDraft, type RecordHeader } from "../ask/record.ts";
import type { Chain } from "./chain.ts";
import { JournalError, type JournalWrites } from "./journal.ts";
import { type Sql, wholeMs } from "./statements.ts";

/**
 * Largest body of a record, in bytes: with its header and the headers of its message it stays under the
 * 512 KiB that servers of this product take.
 */
export const MAX_RECORD_BODY_BYTES = 448 * 1024;

/** Most an outbox holds, in bytes: from there on no ask gets an answer that needs a record. */
export const OUTBOX_LIMIT_BYTES = 1024 * 1024 * 1024;

const EVENT_ID_BYTES = 16;
const POOL_BYTES = 4096;

/** Who writes records. */
export interface RecordWriter {
  readonly session: string;
  readonly incarnation: Incarnation;
}

/** Gives records their place in the session's chain. */
export function recordsOn(
  sql: Sql,
  chain: Chain,
  writer: RecordWriter,
): Pick<JournalWrites, "record"> {
  const insert = sql.prepare("INSERT INTO outbox (n, header, salt, body) VALUES (?, ?, ?, ?)");
  const entropy = pooledBytes();
  return {
    record: (draft, time) => {
      const body = bodyOf(draft);
      const tail = chain.tail();
      if (draft.requestId !== null && tail.bytes >= OUTBOX_LIMIT_BYTES) throw outboxFull(sql.file);
      const eventId = entropy(EVENT_ID_BYTES).toString("hex");
      const salt = entropy(RECORD_SALT_BYTES);
      const header = headerOf(draft, {
        eventId,
        session: writer.session,
        n: tail.n + 1,
        prev: tail.n === 0 ? null : tail.hash,
        time: wholeMs(time),
        incarnation: writer.incarnation,
        bodyDigest: digestOf(salt, body),
      });
      const bytes = Buffer.from(JSON.stringify(header), "utf8");
      insert.run(header.n, bytes, salt, body);
      chain.move({
        n: header.n,
        hash: hash("sha256", bytes, "base64url"),
        rows: tail.rows + 1,
        bytes: tail.bytes + bytes.length + salt.length + body.length,
        ackedN: tail.ackedN,
      });
      return header;
    },
  };
}

/** Salt and body side by side, to be digested at once; one piece of memory for all that fit. */
const scratch = Buffer.allocUnsafeSlow(16 * 1024);

function digestOf(salt: Buffer, body: Buffer): string {
  const size = salt.length + body.length;
  if (size > scratch.length) return hash("sha256", Buffer.concat([salt, body]), "base64url");
  salt.copy(scratch);
  body.copy(scratch, salt.length);
  return hash("sha256", scratch.subarray(0, size), "base64url");
}

function bodyOf({ kind, body, requestId }: RecordDraft): Buffer {
  const bytes = Buffer.from(JSON.stringify(body), "utf8");
  if (bytes.length <= MAX_RECORD_BODY_BYTES) return bytes;
  const { event } = body;
  const oversize = {
    event: "audit.oversize",
    ...(requestId === null ? {} : { requestId }),
    of: kind === "review" && typeof event === "string" ? event : kind,
    digest: hash("sha256", bytes, "base64url"),
    size: bytes.length,
  };
  return Buffer.from(JSON.stringify(oversize), "utf8");
}

function outboxFull(file: string): JournalError {
  return new JournalError(
    "journal_full",
    file,
    `The journal ${file} holds 1 GiB of records that no audit stream has taken; nothing was changed. Bring the server and its audit stream back ("askfabric doctor" says what is wrong); the records leave by themselves then.`,
  );
}

/** Random bytes by small pieces: one call of the system for many records. No piece is handed out twice. */
function pooledBytes(): (size: number) => Buffer {
  let pool = Buffer.alloc(0);
  return (size) => {
    if (pool.length < size) pool = randomBytes(POOL_BYTES);
    const piece = pool.subarray(0, size);
    pool = pool.subarray(size);
    return piece;
  };
}

/** Written out key by key: the order of the bytes is part of what the chain is computed over. */
function headerOf(
  draft: RecordDraft,
  place: Omit<RecordHeader, "kind" | "requestId">,
): RecordHeader {
  return Object.freeze({
    eventId: place.eventId,
    session: place.session,
    n: place.n,
    prev: place.prev,
    kind: draft.kind,
    time: place.time,
    requestId: draft.requestId,
    incarnation: place.incarnation,
    bodyDigest: place.bodyDigest,
  });
}

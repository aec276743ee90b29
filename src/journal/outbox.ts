import { hash, randomBytes } from "node:crypto";
import type { Incarnation } from "../ask/messages.ts";
import type { RecordDraft, RecordHeader } from "../ask/record.ts";
import type { Chain } from "./chain.ts";
import type { JournalReads, JournalWrites } from "./journal.ts";
import { bytesAt, numberAt, numberOrNullAt, type Sql, wholeMs } from "./statements.ts";

const EVENT_ID_BYTES = 16;
const SALT_BYTES = 16;
const POOL_BYTES = 4096;

type Reads = Pick<JournalReads, "outbox" | "outboxSize" | "head">;
type Writes = Pick<JournalWrites, "record" | "ackOutbox" | "trimOutbox">;

/** Who writes records. */
export interface RecordWriter {
  readonly session: string;
  readonly incarnation: Incarnation;
}

/** Records on their way to the stream, each in its place of the session's chain. */
export function outboxOn(
  sql: Sql,
  chain: Chain,
  writer: RecordWriter,
): { readonly reads: Reads; readonly writes: Writes } {
  const from = sql.prepare("SELECT * FROM outbox WHERE n >= ? ORDER BY n LIMIT ?");
  const insert = sql.prepare("INSERT INTO outbox (n, header, salt, body) VALUES (?, ?, ?, ?)");
  const ack = sql.prepare("UPDATE outbox SET acked_at = ? WHERE n > ? AND n <= ?");
  const firstKept = sql.prepare(
    "SELECT n FROM outbox WHERE acked_at IS NULL OR acked_at >= ? ORDER BY n LIMIT 1",
  );
  const measure = sql.prepare(
    `SELECT count(*) AS rows,
       coalesce(sum(length(header) + length(salt) + length(body)), 0) AS bytes
     FROM outbox WHERE n < ?`,
  );
  const trim = sql.prepare("DELETE FROM outbox WHERE n < ?");
  const entropy = pooledBytes();

  return {
    reads: {
      outbox: (fromN, limit) =>
        from.all(fromN, limit).map((row) =>
          Object.freeze({
            n: numberAt(row, "n"),
            header: bytesAt(row, "header"),
            salt: bytesAt(row, "salt"),
            body: bytesAt(row, "body"),
            ackedAt: numberOrNullAt(row, "acked_at"),
          }),
        ),
      outboxSize: () => {
        const { rows, bytes } = chain.tail();
        return { rows, bytes };
      },
      head: () => {
        const { n, hash: headHash } = chain.tail();
        return { n, hash: headHash };
      },
    },
    writes: {
      record: (draft, time) => {
        const body = Buffer.from(JSON.stringify(draft.body), "utf8");
        const eventId = entropy(EVENT_ID_BYTES).toString("hex");
        const salt = entropy(SALT_BYTES);
        const tail = chain.tail();
        const header = headerOf(draft, {
          eventId,
          session: writer.session,
          n: tail.n + 1,
          prev: tail.n === 0 ? null : tail.hash,
          time: wholeMs(time),
          incarnation: writer.incarnation,
          bodyDigest: hash("sha256", Buffer.concat([salt, body]), "base64url"),
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
      ackOutbox: (n, at) => {
        const tail = chain.tail();
        const upTo = Math.min(n, tail.n);
        if (upTo <= tail.ackedN) return;
        ack.run(wholeMs(at), tail.ackedN, upTo);
        chain.move({ ...tail, ackedN: upTo });
      },
      trimOutbox: (before) => {
        const tail = chain.tail();
        const kept = firstKept.get(wholeMs(before));
        const cut = kept === undefined ? tail.n + 1 : numberAt(kept, "n");
        const gone = measure.get(cut) ?? {};
        const rows = trim.run(cut);
        if (rows === 0) return 0;
        chain.move({
          ...tail,
          rows: tail.rows - rows,
          bytes: tail.bytes - numberAt(gone, "bytes"),
        });
        return rows;
      },
    },
  };
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

import { hash } from "node:crypto";
import { z } from "zod";
import { RECORD_KINDS, type RecordHeader } from "../ask/record.ts";
import { type OwnObject, ownObject, readJson } from "./body.ts";
import type { Subjects } from "./subjects.ts";
import { filledText, finite } from "./text.ts";
import { encodeToken } from "./token.ts";

/** The header bytes of a record, base64url: what chains are computed over travels byte for byte. */
export const RECORD_HEADER = "Af-Record";

/** The salt of a record's body digest, base64url. */
export const SALT_HEADER = "Af-Salt";

/** The header by which a stream knows a message that it has already. */
export const MESSAGE_ID_HEADER = "Nats-Msg-Id";

/** A record as its message carries it. */
export interface RecordParts {
  /** JSON bytes of a {@link RecordHeader}. */
  readonly header: Uint8Array;
  readonly salt: Uint8Array;
  readonly body: Uint8Array;
}

/** A message on the audit subject. */
export interface RecordMessage {
  readonly subject: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Uint8Array;
}

/** Why a message on the audit subject is no record. */
export type RecordFault =
  | "subject_unknown"
  | "header_malformed"
  | "session_mismatch"
  | "kind_mismatch"
  | "id_mismatch"
  | "salt_malformed"
  | "digest_mismatch"
  | "body_malformed";

/** A record that was read and checked. */
export interface ReadRecord extends RecordParts {
  readonly head: RecordHeader;
  readonly content: OwnObject;
}

const shape = z.object({
  eventId: z.string().regex(/^[0-9a-f]{32}$/),
  session: filledText,
  n: z.int().min(1),
  prev: z.string().nullable(),
  kind: z.enum(RECORD_KINDS),
  time: finite,
  requestId: filledText.nullable(),
  incarnation: filledText,
  bodyDigest: z.string(),
});

/** Reads the header bytes of a record; null when they are none. Unknown keys are left out. Never throws. */
export function readRecordHeader(bytes: Uint8Array): RecordHeader | null {
  const read = shape.safeParse(ownObject(readJson(bytes)));
  return read.success ? Object.freeze(read.data) : null;
}

/**
 * Writes a record as a message: CloudEvents 1.0 attributes as headers, the body as data. Null when the header
 * bytes are no header.
 */
export function encodeRecord(subjects: Subjects, record: RecordParts): RecordMessage | null {
  const head = readRecordHeader(record.header);
  if (head === null) return null;
  const session = encodeToken(head.session);
  return {
    subject: subjects.of("audit", { session, record: head.kind }),
    headers: {
      [MESSAGE_ID_HEADER]: head.eventId,
      "ce-specversion": "1.0",
      "ce-id": head.eventId,
      "ce-source": `/askfabric/${subjects.prefix}/${session}`,
      "ce-type": `askfabric.${head.kind}`,
      "ce-time": isoTime(head.time),
      "ce-datacontenttype": "application/json",
      ...(head.requestId === null ? {} : { "ce-subject": encodeToken(head.requestId) }),
      [RECORD_HEADER]: base64url(record.header),
      [SALT_HEADER]: base64url(record.salt),
    },
    data: record.body,
  };
}

/** A message as a stream hands it on. */
export interface StoredMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  header(name: string): string | undefined;
}

/** What became of reading a message. */
export type RecordReading =
  | { readonly ok: true; readonly record: ReadRecord }
  | { readonly ok: false; readonly fault: RecordFault };

/**
 * Reads a message as a record. Taken only when subject, message id, header, salt and body agree with each other:
 * the subject's session is what the server attests.
 */
export function readRecord(subjects: Subjects, message: StoredMessage): RecordReading {
  const header = bytesOf(message.header(RECORD_HEADER));
  const head = header === null ? null : readRecordHeader(header);
  const subject = subjects.parse(message.subject);
  if (subject?.kind !== "audit") return fault("subject_unknown");
  if (header === null || head === null) return fault("header_malformed");
  const misplaced = misplacedBy(head, subject, message.header(MESSAGE_ID_HEADER));
  return misplaced === null ? readBody(message, { head, header }) : fault(misplaced);
}

function misplacedBy(
  head: RecordHeader,
  subject: { readonly session: string; readonly record: string },
  messageId: string | undefined,
): RecordFault | null {
  if (encodeToken(head.session) !== subject.session) return "session_mismatch";
  if (head.kind !== subject.record) return "kind_mismatch";
  return messageId === head.eventId ? null : "id_mismatch";
}

function readBody(
  message: StoredMessage,
  { head, header }: Pick<ReadRecord, "head" | "header">,
): RecordReading {
  const salt = bytesOf(message.header(SALT_HEADER));
  if (salt === null || salt.length === 0) return fault("salt_malformed");
  if (recordDigest(salt, message.data) !== head.bodyDigest) return fault("digest_mismatch");
  const content = ownObject(readJson(message.data));
  if (content === null) return fault("body_malformed");
  return { ok: true, record: { head, header, salt, body: message.data, content } };
}

/** Base64url SHA-256 of a salt followed by a body. */
export function recordDigest(salt: Uint8Array, body: Uint8Array): string {
  return hash("sha256", Buffer.concat([salt, body]), "base64url");
}

function fault(name: RecordFault): RecordReading {
  return { ok: false, fault: name };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

function bytesOf(text: string | undefined): Buffer | null {
  return text !== undefined && /^[A-Za-z0-9_-]*$/.test(text)
    ? Buffer.from(text, "base64url")
    : null;
}

/** A clock that is far off must not keep a record from leaving. */
function isoTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

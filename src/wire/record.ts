import { hash } from "node:crypto";
import {
  RECORD_KINDS,
  RECORD_SALT_BYTES,
  type RecordHeader,
  type RecordKind,
} from "../ask/record.ts";
import { type OwnObject, ownObject, readJson } from "./body.ts";
import type { Subjects } from "./subjects.ts";
import { encodeToken } from "./token.ts";

/** Name of the audit stream in its account. */
export const RECORD_STREAM = "AUDIT";

/** The header bytes of a record, base64url: what chains are computed over travels byte for byte. */
export const RECORD_HEADER = "Af-Record";

/** The salt of a record's body digest, base64url. */
export const SALT_HEADER = "Af-Salt";

/** The header by which a stream knows a message that it has already. */
export const MESSAGE_ID_HEADER = "Nats-Msg-Id";

/** The id under which a stream is given a record; `again` counts the ids before this one that it would not take. */
export function messageIdOf(eventId: string, again: number): string {
  return again === 0 ? eventId : `${eventId}.${String(again)}`;
}

/** Says whether a message id is one of this record's. */
function isMessageIdOf(eventId: string, messageId: string | undefined): boolean {
  if (messageId === eventId) return true;
  return messageId?.startsWith(eventId) === true && AGAIN.test(messageId.slice(eventId.length));
}

const AGAIN = /^\.[1-9]\d{0,8}$/;

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
  /** The session as its subject names it. */
  readonly sessionToken: string;
  readonly head: RecordHeader;
  readonly names: RecordNames;
}

/** The parts of a body by which records are found; null where it has none. */
export interface RecordNames {
  readonly event: string | null;
  /** The id the request had on the wire where that is another. */
  readonly wireId: string | null;
  readonly toolCallId: string | null;
}

const EVENT_ID = /^[0-9a-f]{32}$/;
const KINDS: ReadonlySet<unknown> = new Set(RECORD_KINDS);

/** Reads the header bytes of a record; null when they are none. Unknown keys are left out. Never throws. */
export function readRecordHeader(bytes: Uint8Array): RecordHeader | null {
  const read = readJson(bytes);
  if (typeof read !== "object" || read === null || !isHeader(read as Loose)) return null;
  const { eventId, session, n, prev, kind, time, requestId, incarnation, bodyDigest } =
    read as RecordHeader;
  return { eventId, session, n, prev, kind, time, requestId, incarnation, bodyDigest };
}

type Loose = Readonly<Partial<Record<keyof RecordHeader, unknown>>>;

/** By hand, since every record of a fleet passes here: the JSON has own properties only, and no key is `__proto__`. */
function isHeader(read: Loose): boolean {
  const { eventId, n, prev, requestId } = read;
  if (typeof eventId !== "string" || !EVENT_ID.test(eventId)) return false;
  if (!Number.isSafeInteger(n) || Number(n) < 1 || !Number.isFinite(read.time)) return false;
  const named = [read.session, read.incarnation, read.bodyDigest].every(isFilled);
  const pointed = (prev === null || isFilled(prev)) && (requestId === null || isFilled(requestId));
  return named && pointed && KINDS.has(read.kind);
}

function isFilled(value: unknown): boolean {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

/** Writes a record as a message; null when the header bytes are no header. */
export type RecordEncoder = (record: RecordParts) => RecordMessage | null;

/**
 * Opens an encoder: CloudEvents 1.0 attributes as headers, the body as data. What records of one session share is
 * written once.
 */
export function recordEncoder(subjects: Subjects): RecordEncoder {
  const shared = oneAtATime((session: string) => {
    const token = encodeToken(session);
    const subjectOf = (record: RecordKind): string =>
      subjects.of("audit", { session: token, record });
    return {
      source: `/askfabric/${subjects.prefix}/${token}`,
      subjects: Object.fromEntries(RECORD_KINDS.map((kind) => [kind, subjectOf(kind)])),
    };
  });
  const written = oneAtATime(isoTime);
  return (record) => {
    const head = readRecordHeader(record.header);
    if (head === null) return null;
    const session = shared(head.session);
    return {
      subject: session.subjects[head.kind] ?? "",
      headers: {
        [MESSAGE_ID_HEADER]: head.eventId,
        "ce-specversion": "1.0",
        "ce-id": head.eventId,
        "ce-source": session.source,
        "ce-type": `askfabric.${head.kind}`,
        "ce-time": written(head.time),
        "ce-datacontenttype": "application/json",
        ...(head.requestId === null ? null : { "ce-subject": encodeToken(head.requestId) }),
        [RECORD_HEADER]: base64url(record.header),
        [SALT_HEADER]: base64url(record.salt),
      },
      data: record.body,
    };
  };
}

/** Remembers the last value: neighbours are of one session and often of one moment. */
function oneAtATime<K extends string | number, V>(make: (key: K) => V): (key: K) => V {
  let last: { readonly key: K; readonly value: V } | null = null;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
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
export function readRecord(
  subjects: Pick<Subjects, "parse">,
  message: StoredMessage,
): RecordReading {
  const header = bytesOf(message.header(RECORD_HEADER));
  const head = header === null ? null : readRecordHeader(header);
  const subject = subjects.parse(message.subject);
  if (subject?.kind !== "audit") return fault("subject_unknown");
  if (header === null || head === null) return fault("header_malformed");
  const misplaced = misplacedBy(head, subject, message.header(MESSAGE_ID_HEADER));
  if (misplaced !== null) return fault(misplaced);
  return readBody(message, { head, header, sessionToken: subject.session });
}

function misplacedBy(
  head: RecordHeader,
  subject: { readonly session: string; readonly record: string },
  messageId: string | undefined,
): RecordFault | null {
  if (encodeToken(head.session) !== subject.session) return "session_mismatch";
  if (head.kind !== subject.record) return "kind_mismatch";
  return isMessageIdOf(head.eventId, messageId) ? null : "id_mismatch";
}

function readBody(
  message: StoredMessage,
  placed: Pick<ReadRecord, "head" | "header" | "sessionToken">,
): RecordReading {
  const salt = bytesOf(message.header(SALT_HEADER));
  if (salt === null || salt.length !== RECORD_SALT_BYTES) return fault("salt_malformed");
  if (recordDigest(salt, message.data) !== placed.head.bodyDigest) return fault("digest_mismatch");
  const content = readJson(message.data);
  if (!isObject(content)) return fault("body_malformed");
  const { head, header, sessionToken } = placed;
  const names = recordNames(content);
  return { ok: true, record: { head, header, sessionToken, salt, body: message.data, names } };
}

/** Reads the body bytes of a record; null when they are none. What lies too deep to be shown is left out. */
export function readRecordBody(bytes: Uint8Array): OwnObject | null {
  return ownObject(readJson(bytes));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The parts of a body that a record is found by. Stores keep well-formed text only. */
export function recordNames(content: object): RecordNames {
  const text = (key: string): string | null => {
    const value: unknown = Object.hasOwn(content, key) ? content[key as never] : null;
    return typeof value === "string" && value !== "" ? value.toWellFormed() : null;
  };
  return { event: text("event"), wireId: text("wireId"), toolCallId: text("toolCallId") };
}

/** Salt and body side by side, to be digested at once; one piece of memory for all that fit. */
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Base64url SHA-256 of a salt followed by a body. */
export function recordDigest(salt: Uint8Array, body: Uint8Array): string {
  const size = salt.length + body.length;
  if (size > scratch.length) return hash("sha256", Buffer.concat([salt, body]), "base64url");
  scratch.set(salt, 0);
  scratch.set(body, salt.length);
  return hash("sha256", scratch.subarray(0, size), "base64url");
}

function fault(name: RecordFault): RecordReading {
  return { ok: false, fault: name };
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64url");
}

/** What is no base64url decodes to something that agrees with nothing else of the message. */
function bytesOf(text: string | undefined): Buffer | null {
  return text === undefined ? null : Buffer.from(text, "base64url");
}

/** A clock that is far off must not keep a record from leaving. */
function isoTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? new Date(0).toISOString() : date.toISOString();
}

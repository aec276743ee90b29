import { hash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { RecordHeader } from "../../../src/ask/record.ts";
import { readRecord, recordEncoder, type StoredMessage } from "../../../src/wire/record.ts";
import { createSubjects } from "../../../src/wire/subjects.ts";

const subjects = createSubjects("af.v1.crew");
const encode = recordEncoder(subjects);
const salt = Buffer.alloc(16, 7);

function aRecord(of: Partial<RecordHeader> = {}, text = '{"event":"audit.started"}') {
  const body = Buffer.from(text, "utf8");
  const head: RecordHeader = {
    eventId: "0123456789abcdef0123456789abcdef",
    session: "worker é",
    n: 3,
    prev: "p",
    kind: "review",
    time: 1_767_225_600_000,
    requestId: "perm-1",
    incarnation: "1.abc",
    bodyDigest: hash("sha256", Buffer.concat([salt, body]), "base64url"),
    ...of,
  };
  return { header: Buffer.from(JSON.stringify(head), "utf8"), salt, body };
}

/** The message of a record as a stream hands it on, with some of it changed. */
function stored(
  record = aRecord(),
  change: { subject?: string; headers?: Record<string, string>; data?: Uint8Array } = {},
): StoredMessage {
  const message = encode(record);
  const headers: Readonly<Record<string, string>> = { ...message?.headers, ...change.headers };
  return {
    subject: change.subject ?? message?.subject ?? "",
    data: change.data ?? message?.data ?? new Uint8Array(),
    header: (name) => headers[name],
  };
}

/** The same bytes under the same digest, the body's first among those of the salt. */
function withBytesMoved(record: ReturnType<typeof aRecord>): StoredMessage {
  const moved = Buffer.concat([record.salt, record.body.subarray(0, 1)]).toString("base64url");
  return stored(record, { headers: { "Af-Salt": moved }, data: record.body.subarray(1) });
}

const EVENT_ID = "0123456789abcdef0123456789abcdef";

describe("a record on the wire", () => {
  it("comes back to the byte, from the subject of its session and kind", () => {
    const record = aRecord();
    const message = stored(record);
    expect(message.subject).toBe("af.v1.crew.audit.worker=20=C3=A9.review");
    const read = readRecord(subjects, message);
    expect(read).toMatchObject({
      ok: true,
      record: {
        head: { n: 3, session: "worker é" },
        names: { event: "audit.started", wireId: null },
      },
    });
    expect(read).toMatchObject({ record });
  });

  it("names its CloudEvents attributes, each as a header", () => {
    expect(encode(aRecord())?.headers).toMatchObject({
      "ce-specversion": "1.0",
      "ce-id": "0123456789abcdef0123456789abcdef",
      "ce-source": "/askfabric/af.v1.crew/worker=20=C3=A9",
      "ce-type": "askfabric.review",
      "ce-subject": "perm-1",
      "ce-time": "2026-01-01T00:00:00.000Z",
    });
  });

  it("leaves with a time that no calendar knows", () => {
    expect(encode(aRecord({ time: 9e15 }))?.headers["ce-time"]).toBe("1970-01-01T00:00:00.000Z");
  });

  it("is none when its header bytes are none", () => {
    expect(encode({ ...aRecord(), header: Buffer.from("{}") })).toBeNull();
  });

  it("is taken under a further id of its own, as a stream was given it again", () => {
    const again = { "Nats-Msg-Id": `${EVENT_ID}.12` };
    expect(readRecord(subjects, stored(aRecord(), { headers: again })).ok).toBe(true);
  });

  it("is taken with keys in its header that a newer program adds", () => {
    const record = aRecord({ more: 1 } as Partial<RecordHeader>);
    expect(readRecord(subjects, stored(record)).ok).toBe(true);
  });

  it.each([
    ["subject_unknown", stored(aRecord(), { subject: "af.v1.crew.audit.worker" })],
    ["subject_unknown", stored(aRecord(), { subject: "af.v1.crew.audit.worker.other" })],
    ["session_mismatch", stored(aRecord(), { subject: "af.v1.crew.audit.other.review" })],
    ["kind_mismatch", stored(aRecord(), { subject: "af.v1.crew.audit.worker=20=C3=A9.decision" })],
    ["header_malformed", stored(aRecord(), { headers: { "Af-Record": "{}" } })],
    ["header_malformed", stored(aRecord(), { headers: { "Af-Record": "e30" } })],
    ["id_mismatch", stored(aRecord(), { headers: { "Nats-Msg-Id": "other" } })],
    ["id_mismatch", stored(aRecord(), { headers: { "Nats-Msg-Id": `${EVENT_ID}.0` } })],
    ["id_mismatch", stored(aRecord(), { headers: { "Nats-Msg-Id": `${EVENT_ID}.1x` } })],
    ["salt_malformed", stored(aRecord(), { headers: { "Af-Salt": "" } })],
    ["salt_malformed", stored(aRecord(), { headers: { "Af-Salt": "AAAA" } })],
    ["digest_mismatch", stored(aRecord(), { headers: { "Af-Salt": "A".repeat(22) } })],
    ["salt_malformed", withBytesMoved(aRecord())],
    ["digest_mismatch", stored(aRecord(), { data: Buffer.from("{}") })],
    ["body_malformed", stored(aRecord({}, "what"))],
    ["body_malformed", stored(aRecord({}, "[1]"))],
  ] as const)("is refused as %s when its parts do not agree", (fault, message) => {
    expect(readRecord(subjects, message)).toEqual({ ok: false, fault });
  });
});

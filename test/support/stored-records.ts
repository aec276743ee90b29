import { hash, randomBytes } from "node:crypto";
import type { RecordHeader } from "../../src/ask/record.ts";
import type { KeptMessage, NewDeadLetter, NewRecord } from "../../src/store/store.ts";

/** A message as a stream hands it on. */
export function aMessage(of: Partial<KeptMessage> = {}): KeptMessage {
  const headers = { "Nats-Msg-Id": ["id-1"] };
  return {
    subject: "af.v1.crew.audit.worker.review",
    headers: () => headers,
    data: Buffer.from("{}"),
    sequence: 1,
    takenAt: 1_000,
    ...of,
  };
}

/** A message that was set aside. */
export function aDeadLetter(
  of: Partial<KeptMessage> = {},
  fault = "body_malformed",
): NewDeadLetter {
  return { fault, message: aMessage(of) };
}

/** A record ready for a store; its header, salt and body agree unless they are given. */
export function aStorable(
  of: Partial<NewRecord> & { readonly content?: Readonly<Record<string, unknown>> } = {},
): NewRecord {
  const { content = { event: of.event ?? "audit.started" }, ...given } = of;
  const body = Buffer.from(JSON.stringify(content));
  const salt = randomBytes(16);
  const base = {
    eventId: randomBytes(16).toString("hex"),
    sessionToken: "worker",
    n: 1,
    kind: "review",
    event: "audit.started",
    requestId: null,
    wireId: null,
    toolCallId: null,
    time: 1_000,
    ...given,
  } as const;
  const head: RecordHeader = {
    eventId: base.eventId,
    session: base.sessionToken,
    n: base.n,
    prev: null,
    kind: base.kind,
    time: base.time,
    requestId: base.requestId,
    incarnation: "1.a",
    bodyDigest: hash("sha256", Buffer.concat([salt, body]), "base64url"),
  };
  const header = Buffer.from(JSON.stringify(head));
  return { header, salt, body, message: aMessage({ data: body }), ...base };
}

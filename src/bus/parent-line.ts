import { MAX_ASK_BYTES } from "../ask/ask.ts";
import type { Log } from "../ask/ports.ts";
import { parseAsk } from "../wire/ask.ts";
import { decodeText, readJson } from "../wire/body.ts";
import { bytesDigest } from "../wire/digest.ts";
import { encodeDec, encodePresence } from "../wire/encode.ts";
import {
  PROOF_HEADER,
  parseRemaining,
  REMAINING_HEADER,
  SIGNATURE_HEADER,
} from "../wire/headers.ts";
import { parseCancel, parsePresence, parseReceipt } from "../wire/messages.ts";
import { proofOf } from "../wire/proof.ts";
import { withoutNonce } from "../wire/stored-ask.ts";
import { createSubjects, type ParsedSubject, type SubjectTokens } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import { countDrops, type Drops } from "./drops.ts";
import type { ParentInbound, ParentLine } from "./lines.ts";
import type { BusDelivery } from "./port.ts";

/** What a parent's line is opened with. */
export interface ParentLineOptions {
  readonly bus: Bus;
  /** The serving session's own id. */
  readonly session: string;
  /** Called for every message that could be read; what it throws is counted and logged. */
  readonly onInbound: (inbound: ParentInbound) => void;
  readonly log?: Log;
}

/** Opens the parent's end of the ask protocol: it serves from the moment this returns. */
export function openParentLine({ bus, session, onInbound, log }: ParentLineOptions): ParentLine {
  const { port } = bus;
  const sign = bus.signatures?.sign ?? null;
  const subjects = createSubjects(bus.prefix);
  const self = encodeToken(session);
  const drops = countDrops(log);
  const hear = drops.guard((delivery) => {
    const subject = subjects.parse(delivery.subject);
    const inbound =
      subject === null ? dropped(drops, "foreign_subject") : read(subject, delivery, drops);
    if (inbound !== null) onInbound(inbound);
  });
  const standing = [
    subjects.filter("cancel", { parent: self }),
    subjects.filter("ack", { parent: self }),
    subjects.filter("up", { parent: self }),
    subjects.filter("hb", { session: self }),
    // Last: with the first ask everything that may follow it can be heard.
    subjects.filter("ask", { parent: self }),
  ].map((filter) => port.subscribe(filter, hear));
  return {
    encode: encodeDec,
    send: ({ childToken, requestId, nonce }, text) => {
      const rid = encodeToken(requestId);
      const subject = subjects.of("dec", { parent: self, child: childToken, rid });
      const body = Buffer.from(text, "utf8");
      const message = { subject, body };
      const headers = {
        ...(nonce === null ? {} : { [PROOF_HEADER]: proofOf(nonce, message) }),
        ...(sign === null ? {} : { [SIGNATURE_HEADER]: sign(message) }),
      };
      return port.publish(subject, body, { headers });
    },
    publishPresence: (presence) =>
      port.publish(subjects.of("hb", { session: self }), Buffer.from(encodePresence(presence))),
    dropped: () => drops.counts(),
    close: () => {
      for (const one of standing) one.unsubscribe();
    },
  };
}

function read(subject: ParsedSubject, delivery: BusDelivery, drops: Drops): ParentInbound | null {
  switch (subject.kind) {
    case "ask":
      return readAsk(subject, delivery);
    case "cancel": {
      const message = parseCancel(readJson(delivery.data));
      const sound = message !== null && encodeToken(message.requestId) === subject.rid;
      if (sound) return { kind: "cancel", childToken: subject.child, message };
      return dropped(drops, "unreadable_cancel");
    }
    case "ack": {
      const message = parseReceipt(readJson(delivery.data));
      if (message !== null) return { kind: "receipt", childToken: subject.child, message };
      return dropped(drops, "unreadable_receipt");
    }
    case "up":
    case "hb":
      return readPresence(subject, delivery, drops);
    case "dec":
    case "ctl":
    case "frz":
    case "evt":
    case "audit":
    case "inbox":
      return dropped(drops, "foreign_subject");
  }
}

function readAsk(subject: SubjectTokens<"ask">, delivery: BusDelivery): ParentInbound {
  const childToken = subject.child;
  const text = decodeText(delivery.data) ?? "";
  const askDigest = bytesDigest(delivery.data);
  const parsed = parseAsk(subject, readJson(text));
  if (!parsed.ok) {
    const { reason, fields, requestId, nonce } = parsed;
    return { kind: "malformed_ask", childToken, requestId, askDigest, reason, fields, nonce };
  }
  const { ask } = parsed;
  if (delivery.data.length > MAX_ASK_BYTES) {
    const { id: requestId, nonce } = ask;
    const reason = "ask_malformed";
    return { kind: "malformed_ask", childToken, requestId, askDigest, reason, fields: [], nonce };
  }
  const remainingMs = parseRemaining(delivery.header(REMAINING_HEADER));
  return {
    kind: "ask",
    childToken,
    ask,
    askDigest,
    remainingMs,
    // Only asks that wait are journalled; a rule's answer needs no such text.
    get storedAsk() {
      return withoutNonce(text);
    },
  };
}

type PresenceSubject =
  | ({ readonly kind: "up" } & SubjectTokens<"up">)
  | ({ readonly kind: "hb" } & SubjectTokens<"hb">);

/** The speaker is the subject's token; a presence that names another session is none. */
function readPresence(
  subject: PresenceSubject,
  delivery: BusDelivery,
  drops: Drops,
): ParentInbound | null {
  const message = parsePresence(readJson(delivery.data));
  const speaker = subject.kind === "up" ? subject.child : subject.session;
  if (message === null || encodeToken(message.session) !== speaker) {
    return dropped(drops, "unreadable_presence");
  }
  return subject.kind === "up"
    ? { kind: "child_presence", childToken: subject.child, message }
    : { kind: "own_presence", message };
}

function dropped(drops: Drops, reason: string): null {
  drops.drop(reason);
  return null;
}

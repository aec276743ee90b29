import { decodeText, type OwnObject, ownObject, readJson } from "../wire/body.ts";
import type { BusDelivery } from "./port.ts";

/** What a stream said to a record. */
export type PubAck =
  /** It has it; `duplicate`: it had it before. */
  | { readonly kind: "taken"; readonly duplicate: boolean }
  /** Not now; the same bytes may be taken later. */
  | { readonly kind: "transient"; readonly why: string }
  /** It remembers the id of a message that it refused, and has none: under another id it may be taken. */
  | { readonly kind: "remembered"; readonly why: string }
  /** Never this record. */
  | { readonly kind: "never"; readonly why: string }
  /** No record before somebody acts. */
  | { readonly kind: "refused"; readonly why: string };

/** The message is larger than the stream takes. */
const TOO_LARGE = 10_054;

/** The stream is full: total size, or the number of records of one subject. */
const STORE_FAILED = 10_077;

/** What a stream says to nearly every record: it has it now, and had it not before. */
const TAKEN = /^\{"stream":"[A-Za-z0-9_-]+", ?"seq":[1-9]\d*\}$/;

const FRESH: PubAck = Object.freeze({ kind: "taken", duplicate: false });

const REMEMBERED: PubAck = Object.freeze({
  kind: "remembered",
  why: "the stream remembers the id of a record that it refused",
});

/** Reads the answer to a record. Whatever cannot be read says nothing: the record is sent again. */
export function readPubAck(delivery: BusDelivery): PubAck {
  if (delivery.noResponders) {
    return { kind: "transient", why: "no audit stream takes records (503)" };
  }
  const text = decodeText(delivery.data) ?? "";
  if (TAKEN.test(text)) return FRESH;
  const body = ownObject(readJson(text));
  const error = ownObject(body?.["error"]);
  if (body === null) return { kind: "transient", why: "an unreadable acknowledgement" };
  return error === null ? readTaken(body) : readRefusal(error);
}

function readTaken({ stream, seq, duplicate: before }: OwnObject): PubAck {
  const duplicate = before === true;
  const isOfStream = typeof stream === "string" && Number.isSafeInteger(seq);
  if (isOfStream && Number(seq) > 0) return { kind: "taken", duplicate };
  // Servers of a cluster keep the id of what they refused, and then call it taken without a place.
  if (isOfStream && duplicate) return REMEMBERED;
  return { kind: "transient", why: "an unreadable acknowledgement" };
}

function readRefusal(error: OwnObject): PubAck {
  const code = Number(error["err_code"]);
  const told = typeof error["description"] === "string" ? error["description"] : "no reason given";
  const why = `${told} (${String(code)})`;
  if (code === TOO_LARGE) return { kind: "never", why };
  if (code === STORE_FAILED) return { kind: "refused", why };
  return { kind: "transient", why };
}

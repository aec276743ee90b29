import type { RequestId } from "../ask/request-id.ts";
import { readJson } from "../wire/body.ts";
import { type DecMessage, readDec } from "../wire/dec.ts";
import { bytesDigest } from "../wire/digest.ts";
import { PROOF_HEADER, SIGNATURE_HEADER } from "../wire/headers.ts";
import { proofMatches } from "../wire/proof.ts";
import type { Subjects, SubjectTokens } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Signatures } from "./bus.ts";
import type { Drops } from "./drops.ts";
import type { ChildInbound, SealedAsk } from "./lines.ts";
import type { BusDelivery } from "./port.ts";

/** What a child knows when a message on `dec` comes. */
export interface Hearing {
  readonly subjects: Subjects;
  /** The child's own token. */
  readonly self: string;
  /** The ask with this id that waits in this process. */
  readonly pending: (requestId: RequestId) => SealedAsk | undefined;
  /** Whether that ask was put to the parent with this token before another one is asked. */
  readonly hasLeft?: (requestId: RequestId, parentToken: string) => boolean;
  readonly drops: Drops;
  /** Demands a signature; null: proofs alone. */
  readonly check?: Signatures["check"];
  /** Told of a message of a parent that is not believed for its signature. */
  readonly disbelieved?: (parent: string, why: string) => void;
}

/**
 * What one message on `dec` is to this child; null when it is dropped, and then counted. Taken only when the
 * subject names the parent asked, this child and an ask that waits in this process, when the proof matches and
 * the digest is the ask's own.
 */
export function hearDec(hearing: Hearing, delivery: BusDelivery): ChildInbound | null {
  const subject = hearing.subjects.parse(delivery.subject);
  if (subject?.kind !== "dec" || subject.child !== hearing.self) {
    return dropped(hearing, "foreign_subject");
  }
  const sealed = hearing.pending(subject.rid);
  if (sealed === undefined) return judgeStray(hearing, subject, delivery);
  if (encodeToken(sealed.ask.targetSessionId) !== subject.parent) {
    return judgeOther(hearing, subject, delivery);
  }
  if (delivery.noResponders) {
    return { kind: "no_responders", requestId: sealed.ask.id, parentToken: subject.parent };
  }
  return judgeSaid(hearing, subject, { sealed, delivery });
}

/** What the parent that was asked says about an ask that waits. */
function judgeSaid(
  hearing: Hearing,
  subject: SubjectTokens<"dec">,
  { sealed, delivery }: { readonly sealed: SealedAsk; readonly delivery: BusDelivery },
): ChildInbound | null {
  const signed = signatureFault(hearing, delivery);
  if (signed !== null) {
    hearing.disbelieved?.(sealed.ask.targetSessionId, signed);
    return dropped(hearing, signed);
  }
  const proof = delivery.header(PROOF_HEADER);
  if (proof === undefined) return judgeUnproven(hearing, sealed, delivery);
  const proven = { subject: delivery.subject, body: delivery.data };
  if (!proofMatches(sealed.ask.nonce, proven, proof)) return dropped(hearing, "wrong_proof");
  const read = readDec(subject.rid, readJson(delivery.data));
  if (read === null) return { kind: "unreadable", requestId: sealed.ask.id };
  if (!isAbout(read, sealed)) return dropped(hearing, "other_digest");
  return proved(read, delivery, subject.parent);
}

/** Why a message is not believed for its signature; null when it may be. */
function signatureFault({ check }: Hearing, delivery: BusDelivery): string | null {
  if (check === null || check === undefined) return null;
  const message = { subject: delivery.subject, body: delivery.data };
  const found = check(message, delivery.header(SIGNATURE_HEADER));
  if (found === "signed") return null;
  return found === "unsigned" ? "no_signature" : "wrong_signature";
}

function proved(read: DecMessage, delivery: BusDelivery, parentToken: string): ChildInbound {
  if (read.kind === "decision") return { ...read, decisionDigest: bytesDigest(delivery.data) };
  return read.kind === "withdrawn" ? { ...read, parentToken } : read;
}

function isAbout({ message }: DecMessage, sealed: SealedAsk): boolean {
  const named = "askDigest" in message ? message.askDigest : undefined;
  return named === undefined || named === sealed.askDigest;
}

/** A parent that the ask has left is answered, so that it stops repeating; any other one was never asked. */
function judgeOther(
  hearing: Hearing,
  subject: SubjectTokens<"dec">,
  delivery: BusDelivery,
): ChildInbound | null {
  return hearing.hasLeft?.(subject.rid, subject.parent) === true
    ? judgeStray(hearing, subject, delivery)
    : dropped(hearing, "other_parent");
}

/** Without a proof a parent can only say that it could not read the ask. */
function judgeUnproven(
  hearing: Hearing,
  sealed: SealedAsk,
  delivery: BusDelivery,
): ChildInbound | null {
  const read = readDec(encodeToken(sealed.ask.id), readJson(delivery.data));
  if (read?.kind !== "refused" || !isAbout(read, sealed)) return dropped(hearing, "no_proof");
  const { lost } = read.message;
  if (lost !== "ask_malformed" && lost !== "version_mismatch") return dropped(hearing, "no_proof");
  return { kind: "unproven_refused", message: read.message };
}

/** The nonce of an ask that is not pending is gone: what is said about it can end a repetition, no more. */
function judgeStray(
  hearing: Hearing,
  subject: SubjectTokens<"dec">,
  delivery: BusDelivery,
): ChildInbound | null {
  const read = delivery.noResponders ? null : readDec(subject.rid, readJson(delivery.data));
  if (read?.kind === "withdrawn") return { ...read, parentToken: subject.parent };
  if (read?.kind !== "decision") return dropped(hearing, "not_pending");
  return {
    kind: "stray_decision",
    requestId: read.message.requestId,
    parentToken: subject.parent,
    decisionDigest: bytesDigest(delivery.data),
  };
}

function dropped(hearing: Hearing, reason: string): null {
  hearing.drops.drop(reason);
  return null;
}

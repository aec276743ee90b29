import { z } from "zod";
import { LOST_REASONS } from "../ask/lost.ts";
import type { Cancel, Presence, Receipt, ReceiptEffect } from "../ask/messages.ts";
import { isThisRevision, ownObject } from "./body.ts";
import { bodyOf, isFilled, isId, isOneOf } from "./exact.ts";
import { readBy } from "./read-by.ts";
import { filledText, idText, text } from "./text.ts";

const RECEIPT_EFFECTS = ["applied", "duplicate", "late", "none"] as const;
const EFFECTS: ReadonlySet<ReceiptEffect> = new Set(RECEIPT_EFFECTS);

const count = z.int().min(0);

const acceptedFields = {
  requestId: idText,
  askDigest: filledText,
  incarnation: filledText,
  state: z.enum(["authorizer", "human", "relayed"]),
};

/** The parent has taken the ask. */
export const accepted = z.object(acceptedFields);

/** An accepted ask moved. */
export const progress = z.object({
  ...acceptedFields,
  heldBy: z
    .object({
      kind: filledText,
      name: text.exactOptional(),
      sessionId: text.exactOptional(),
    })
    .readonly(),
  ahead: count,
});

/** The ask ends without a ruling. */
export const refused = z.object({
  requestId: idText,
  askDigest: filledText.exactOptional(),
  lost: z.enum(LOST_REASONS),
  at: filledText,
  detail: text.exactOptional(),
});

/** The parent's answer to a cancel. */
export const withdrawn = z.object({
  requestId: idText,
  effect: z.enum(["withdrawn", "already_decided", "unknown"]),
});

/** The child's acknowledgement of a decision. */
export const receipt = z.object({
  requestId: idText,
  decisionDigest: filledText,
  effect: z.enum(RECEIPT_EFFECTS),
});

/** The child takes an ask back. */
export const cancel = z.object({
  requestId: idText,
  why: z.enum(["aborted", "timed_out", "child_restarted", "failover"]),
});

/** A session says that it lives. */
export const presence = z.object({
  session: filledText,
  incarnation: filledText,
  state: z.enum(["up", "closing", "bye"]),
  serving: z.boolean(),
  openAsks: count,
  successor: filledText.exactOptional(),
  unheard: z.array(idText).readonly().exactOptional(),
  record: z.object({ n: count, hash: text }).readonly(),
});

/** Reads a receipt; null when it is none. Frozen; never throws. */
export function parseReceipt(value: unknown): Receipt | null {
  return readExactReceipt(value) ?? parseMessage(receipt, value);
}

/** By hand, since every decision brings one; null for every other than this revision writes. */
function readExactReceipt(value: unknown): Receipt | null {
  const { v, requestId, decisionDigest, effect } = bodyOf(value);
  if (v !== 1 || !isId(requestId) || !isFilled(decisionDigest)) return null;
  return isOneOf(EFFECTS, effect) ? Object.freeze({ requestId, decisionDigest, effect }) : null;
}

/** Reads a cancel; null when it is none. Frozen; never throws. */
export function parseCancel(value: unknown): Cancel | null {
  return parseMessage(cancel, value);
}

/** Reads a presence; null when it is none. Frozen; never throws. */
export function parsePresence(value: unknown): Presence | null {
  return parseMessage(presence, value);
}

function parseMessage<T extends object>(schema: z.ZodType<T>, value: unknown): Readonly<T> | null {
  const body = ownObject(value);
  if (body === null || !isThisRevision(body)) return null;
  const message = readBy(schema, body);
  return message === undefined ? null : Object.freeze(message);
}

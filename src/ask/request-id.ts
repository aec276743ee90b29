import { randomUUID } from "node:crypto";

/** Names one permission request from its creation to its terminal decision, on every node it passes. */
export type RequestId = string;

const WIRE_ID = /^[A-Za-z0-9_-]{1,96}$/;

/** Mints a fresh request id: `perm-` and a random UUID v4. */
export function mintRequestId(): RequestId {
  return `perm-${randomUUID()}`;
}

/** The id an ask carries on the wire and whether it is the one that was handed in. */
export interface WireId {
  readonly wireId: RequestId;
  /** False when the given id could not stand in a subject and a fresh one was minted. */
  readonly adopted: boolean;
}

/** Adopts `id` for the wire when 1 to 96 of `A-Z a-z 0-9 _ -` make it up, else mints a fresh one. */
export function toWireId(id: string): WireId {
  return WIRE_ID.test(id)
    ? { wireId: id, adopted: true }
    : { wireId: mintRequestId(), adopted: false };
}

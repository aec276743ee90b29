import type { z } from "zod";
import type { Accepted, Decision, Progress, Refused, Withdrawn } from "../ask/messages.ts";
import { isThisRevision, type OwnObject, ownObject } from "./body.ts";
import { readDecision, readUsualDecision } from "./decision.ts";
import { bodyOf } from "./exact.ts";
import { accepted, progress, refused, withdrawn } from "./messages.ts";
import { readBy } from "./read-by.ts";
import { encodeToken } from "./token.ts";

/** A message on `dec`. Bodies carry no type: the fields they have tell. */
export type DecMessage =
  | { readonly kind: "accepted"; readonly message: Accepted }
  | { readonly kind: "progress"; readonly message: Progress }
  | { readonly kind: "decision"; readonly message: Decision }
  | { readonly kind: "refused"; readonly message: Refused }
  | { readonly kind: "withdrawn"; readonly message: Withdrawn };

const MARKS: Readonly<Record<string, DecMessage["kind"]>> = {
  approved: "decision",
  decidedBy: "decision",
  lost: "refused",
  effect: "withdrawn",
  heldBy: "progress",
};

/**
 * Reads a decoded body from the decision subject of a request id token. Null when it is of another revision,
 * about another request, malformed, or carries the marks of two messages at once. Frozen; never throws.
 */
export function readDec(rid: string, value: unknown): DecMessage | null {
  const usual = hasOtherMarks(value) ? null : readUsualDecision(rid, value);
  if (usual !== null) return named("decision", usual);
  const body = ownObject(value);
  if (body === null || !isThisRevision(body)) return null;
  const kinds = new Set(Object.keys(MARKS).flatMap((mark) => kindOf(body, mark)));
  if (kinds.size > 1) return null;
  const [kind = "accepted"] = kinds;
  return readAs(kind, rid, body);
}

/** Says whether a body carries the mark of another message than a decision. */
function hasOtherMarks(value: unknown): boolean {
  const { lost, effect, heldBy } = bodyOf(value);
  return lost !== undefined || effect !== undefined || heldBy !== undefined;
}

function kindOf(body: OwnObject, mark: string): DecMessage["kind"][] {
  const kind = MARKS[mark];
  return kind !== undefined && Object.hasOwn(body, mark) ? [kind] : [];
}

function readAs(kind: DecMessage["kind"], rid: string, body: OwnObject): DecMessage | null {
  switch (kind) {
    case "decision":
      return named(kind, readDecision(rid, body));
    case "accepted":
      return named(kind, readMessage(accepted, rid, body));
    case "progress":
      return named(kind, readMessage(progress, rid, body));
    case "refused":
      return named(kind, readMessage(refused, rid, body));
    case "withdrawn":
      return named(kind, readMessage(withdrawn, rid, body));
  }
}

function named<K extends string, M>(kind: K, message: M | null): { kind: K; message: M } | null {
  return message === null ? null : Object.freeze({ kind, message });
}

function readMessage<T extends { requestId: string }>(
  schema: z.ZodType<T>,
  rid: string,
  body: OwnObject,
): Readonly<T> | null {
  const message = readBy(schema, body);
  return message === undefined || encodeToken(message.requestId) !== rid
    ? null
    : Object.freeze(message);
}

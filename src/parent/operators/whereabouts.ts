import type { ShownPart } from "../../ask/control.ts";
import type { ServedAskRow } from "../../journal/journal.ts";
import { openState } from "../open-asks.ts";
import type { Serving } from "../serving.ts";

/** Where an open ask is, as operators are told of it. */
export type Whereabouts = Pick<ShownPart, "state" | "heldBy" | "childGone" | "expiresAt">;

/** Looks where an open ask is at this moment. */
export function whereabouts(serving: Serving, row: ServedAskRow): Whereabouts {
  const live = serving.live.get(row.requestId);
  if (live === undefined) return { state: "dormant", heldBy: null, expiresAt: row.deadlineAt };
  const { heldBy, deadlineAt: expiresAt } = live;
  const isGone = serving.children.isGone(row);
  return { state: openState(live), heldBy, expiresAt, ...(isGone ? { childGone: true } : {}) };
}

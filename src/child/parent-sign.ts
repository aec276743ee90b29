import { isLater } from "../ask/incarnation.ts";
import type { Incarnation, Presence } from "../ask/messages.ts";
import { SILENT_AFTER_MS } from "../ask/presence.ts";

/** The last that was heard of a parent's life. Times are monotonic milliseconds. */
export interface ParentSign {
  /** Null before the first heartbeat, and after the parent said goodbye. */
  readonly heardAt: number | null;
  /** The latest incarnation that was heard; null before the first heartbeat. */
  readonly incarnation: Incarnation | null;
  /** Since when nothing is heard: the start of listening, the last heartbeat or the goodbye. */
  readonly since: number;
}

/** The sign of a parent that is listened to from `now` on. */
export function unheard(now: number): ParentSign {
  return { heardAt: null, incarnation: null, since: now };
}

/** Takes in a heartbeat, and says whether the parent came back by it: after a silence, or as a later process. */
export function hearPresence(
  sign: ParentSign,
  presence: Pick<Presence, "incarnation" | "state">,
  now: number,
): { readonly sign: ParentSign; readonly returned: boolean } {
  const later = isLater(presence.incarnation, sign.incarnation);
  const known = sign.incarnation !== null && !later;
  const incarnation = known ? sign.incarnation : presence.incarnation;
  // A process that another one has taken over from tells nothing of the parent's life.
  if (known && presence.incarnation !== sign.incarnation) return { sign, returned: false };
  if (presence.state === "bye") {
    return { sign: { heardAt: null, incarnation, since: now }, returned: false };
  }
  return {
    sign: { heardAt: now, incarnation, since: now },
    returned: later || isSilent(sign, now),
  };
}

/** Says whether nothing was heard for too long. */
export function isSilent(sign: ParentSign, now: number): boolean {
  return sign.heardAt === null || now - sign.heardAt > SILENT_AFTER_MS;
}

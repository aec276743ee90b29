import { SILENT_AFTER_MS } from "../ask/presence.ts";
import type { AskStatus } from "./ask-status.ts";
import { REPEAT_FIRST_MS } from "./ask-status.ts";
import type { Reach } from "./child.ts";
import { isSilent, type ParentSign } from "./parent-sign.ts";

/** What is known of the one an open ask is put to. */
export interface Reached {
  readonly reach: Reach;
  /** Monotonic milliseconds since when the parent is gone; null while it is not. */
  readonly goneSince: number | null;
}

/**
 * Says how an open ask stands with its parent, from the ask and from the parent's heartbeat:
 *
 * - `disconnected`: this process has no connection;
 * - `unserved`: 503 answers, nobody is subscribed;
 * - `silent`: nobody accepted within 250 ms, or the parent's heartbeat is missing for 3 s;
 * - `reachable`: everything else.
 */
export function reachOf(status: AskStatus, sign: ParentSign, now: number): Reached {
  if (status.cutSince !== null) return { reach: "disconnected", goneSince: null };
  if (status.unservedSince !== null) {
    return { reach: "unserved", goneSince: status.unservedSince };
  }
  if (status.state === "accepted") {
    const quiet = isSilent(sign, now) && now - sign.since > SILENT_AFTER_MS;
    return quiet
      ? { reach: "silent", goneSince: sign.since }
      : { reach: "reachable", goneSince: null };
  }
  const waited = status.sentAt === null ? 0 : now - status.sentAt;
  return { reach: waited > REPEAT_FIRST_MS ? "silent" : "reachable", goneSince: null };
}

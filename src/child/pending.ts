import type { Clock } from "../ask/ports.ts";
import type { OpenCase } from "./ask-book.ts";
import type { PendingAsk } from "./child.ts";
import type { ParentSign } from "./parent-sign.ts";
import { reachOf } from "./reach.ts";

/** What a person is told of the asks that wait. */
export function pendingAsks(
  open: readonly OpenCase[],
  signOf: (parent: string) => ParentSign,
  clock: Clock,
): readonly PendingAsk[] {
  const now = clock.monotonic();
  const wall = clock.now();
  return open.map(({ ask, status, begunAt, heldBy }) => {
    const parent = ask.sealed.ask.targetSessionId;
    const { reach, goneSince } = reachOf(status, signOf(parent), now);
    return {
      requestId: ask.sealed.ask.id,
      value: ask.value,
      parent,
      reach,
      heldBy,
      parentGoneSince: goneSince === null ? null : Math.round(wall - (now - goneSince)),
      sinceMs: Math.round(now - begunAt),
    };
  });
}

import { isLater } from "../ask/incarnation.ts";
import type { Presence } from "../ask/messages.ts";
import type { Serving } from "./serving.ts";

/** Says on the session's heartbeat how this process is. */
export function tellPresence(serving: Serving, state: Presence["state"]): void {
  serving.line.publishPresence({
    session: serving.session,
    incarnation: serving.incarnation,
    state,
    serving: state !== "bye",
    openAsks: serving.live.size + serving.dormant.size,
    ...(serving.successor === null ? {} : { successor: serving.successor }),
    record: serving.read.head(),
  });
}

/** Why this process has to stop when it hears a heartbeat of its own session; null when it may go on. */
export function takenOverBy(serving: Serving, heard: Presence): string | null {
  if (!isLater(heard.incarnation, serving.incarnation)) return null;
  return `another process of session ${serving.session} serves now (incarnation ${heard.incarnation})`;
}

import { createSubjects, type EVENT_KINDS } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Bus } from "./bus.ts";
import type { PublishOutcome } from "./port.ts";

/** A live event's kind. */
export type EventKind = (typeof EVENT_KINDS)[number];

/** Where a session tells named observers what happens. Best effort; records are what is kept. */
export interface EventLine {
  /**
   * Publishes one event. `unwritable`: the body is not JSON-safe, nothing was sent. Never throws and never
   * waits, so that telling cannot hold up deciding.
   */
  publish(kind: EventKind, body: Readonly<Record<string, unknown>>): PublishOutcome | "unwritable";
}

/** Opens the live events of one session. */
export function openEventLine(bus: Bus, session: string): EventLine {
  const subjects = createSubjects(bus.prefix);
  const self = encodeToken(session);
  return {
    publish: (kind, body) => {
      try {
        const data = Buffer.from(JSON.stringify(body), "utf8");
        return bus.port.publish(subjects.of("evt", { session: self, event: kind }), data);
      } catch {
        return "unwritable";
      }
    },
  };
}

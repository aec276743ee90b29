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
  const subject = (event: EventKind): string => subjects.of("evt", { session: self, event });
  const subjectOf: Readonly<Record<EventKind, string>> = {
    ui_prompt: subject("ui_prompt"),
    decision: subject("decision"),
    ready: subject("ready"),
  };
  return {
    publish: (kind, body) => {
      try {
        const data = Buffer.from(JSON.stringify(body), "utf8");
        return bus.port.publish(subjectOf[kind], data);
      } catch {
        return "unwritable";
      }
    },
  };
}

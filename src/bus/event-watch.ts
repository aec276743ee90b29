import type { Log } from "../ask/ports.ts";
import { ownObject, readJson } from "../wire/body.ts";
import { createSubjects, EVENT_KINDS } from "../wire/subjects.ts";
import type { Bus } from "./bus.ts";
import { countDrops } from "./drops.ts";
import type { EventKind } from "./event-line.ts";
import { tokenName } from "./tokens.ts";

/** The kinds of live events, one of which an observer may choose. */
export const WATCHED_KINDS: readonly EventKind[] = EVENT_KINDS;

/** A live event as an observer hears it. */
export interface HeardEvent {
  /** Who published it, which the server attests; the token itself where it is only the digest of a name. */
  readonly session: string;
  readonly sessionToken: string;
  readonly kind: EventKind;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Hears live events for as long as it is open. */
export interface EventWatch {
  /** Messages that were dropped, by reason. */
  dropped(): Readonly<Record<string, number>>;
  close(): void;
}

/** Listens to the live events of every session of the fleet. */
export function watchEvents(bus: Bus, onEvent: (event: HeardEvent) => void, log?: Log): EventWatch {
  const subjects = createSubjects(bus.prefix);
  const drops = countDrops(log);
  const standing = bus.port.subscribe(
    subjects.filter("evt", {}),
    drops.guard(({ subject, data }) => {
      const parsed = subjects.parse(subject);
      if (parsed?.kind !== "evt") return drops.drop("foreign_subject");
      const body = ownObject(readJson(data));
      if (body === null) return drops.drop("unreadable_event");
      const { session: sessionToken, event } = parsed;
      onEvent({ session: tokenName(sessionToken), sessionToken, kind: event as EventKind, body });
    }),
  );
  return { dropped: () => drops.counts(), close: () => standing.unsubscribe() };
}

import type { Accepted, Incarnation } from "../ask/messages.ts";
import type { Log } from "../ask/ports.ts";
import { HEARTBEAT_MS } from "../ask/presence.ts";
import type { Bus } from "../bus/bus.ts";
import type { ChildLine } from "../bus/lines.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Journal } from "../journal/journal.ts";
import type { AskBook } from "./ask-book.ts";

/** Tells parents that this process lives, as long as asks wait there. */
export interface Announcer {
  /** A process of a parent has taken this ask: tells it now, and each second while one waits. */
  accepted(message: Pick<Accepted, "requestId" | "incarnation">): void;
  /** The server refused a publish; true when it was such a sign. Then none is sent any more, which is said once. */
  refused(subject: string): boolean;
  close(): void;
}

/** Opens the announcing of one session. Asks that are answered at once cost no sign. */
export function openAnnouncer(parts: {
  readonly bus: Pick<Bus, "prefix">;
  readonly session: string;
  readonly line: Pick<ChildLine, "publishPresence">;
  readonly asks: Pick<AskBook, "open" | "sealed">;
  readonly journal: Pick<Journal, "incarnation" | "read">;
  readonly log: Log;
}): Announcer {
  const { line, asks, journal, log, session } = parts;
  const ours = `${parts.bus.prefix}.up.`;
  const self = `.${sessionToken(session)}`;
  /** The parents that are told, each with the process of it that took an ask last. */
  const told = new Map<string, Incarnation>();
  let timer: NodeJS.Timeout | null = null;
  let isRefused = false;

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
    told.clear();
  }

  function tell(): void {
    const waiting = asks.open().filter(({ status }) => status.state === "accepted");
    const parents = new Set(waiting.map(({ ask }) => ask.sealed.ask.targetSessionId));
    if (parents.size === 0 || isRefused) return stop();
    for (const parent of told.keys()) if (!parents.has(parent)) told.delete(parent);
    try {
      const { incarnation } = journal;
      const record = journal.read.head();
      const presence = { session, incarnation, state: "up", serving: false, record } as const;
      for (const parent of parents) {
        line.publishPresence(parent, { ...presence, openAsks: waiting.length });
      }
    } catch (error) {
      log.debug({ err: error }, "a sign of life could not be sent");
    }
  }

  return {
    accepted: ({ requestId, incarnation }) => {
      const parent = asks.sealed(requestId)?.ask.targetSessionId;
      if (isRefused || parent === undefined || told.get(parent) === incarnation) return;
      told.set(parent, incarnation);
      timer ??= setInterval(tell, HEARTBEAT_MS).unref();
      tell();
    },
    refused: (subject) => {
      if (!subject.startsWith(ours) || !subject.endsWith(self)) return false;
      if (!isRefused) {
        log.warn(
          { subject },
          "the server does not let this session tell its parent that it lives: its asks look left behind there",
        );
      }
      isRefused = true;
      stop();
      return true;
    },
    close: stop,
  };
}

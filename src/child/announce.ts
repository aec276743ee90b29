import type { Incarnation } from "../ask/messages.ts";
import type { Log } from "../ask/ports.ts";
import { HEARTBEAT_MS } from "../ask/presence.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { Bus } from "../bus/bus.ts";
import type { ChildInbound, ChildLine } from "../bus/lines.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Journal } from "../journal/journal.ts";
import type { AskBook } from "./ask-book.ts";

/** Most asks that one sign names: it stays below 100 KiB. */
const MOST_UNHEARD = 1_000;

/** Tells parents that this process lives. */
export interface Announcer {
  /**
   * Something was heard, which is not dealt with yet. A parent that answers is told each second from then on; one
   * that has taken an ask which waits, at once as well.
   */
  heard(inbound: ChildInbound): void;
  /** Of these asks, passed on for others, no child is heard; told at once where it changed. */
  setUnheard(requestIds: readonly RequestId[]): void;
  /** The server refused a publish; true when it was such a sign. Then none is sent any more, which is said once. */
  refused(subject: string): boolean;
  close(): void;
}

/** Opens the announcing of one session. An ask that is answered at once costs no message of its own. */
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
  const told = new Map<string, Incarnation | null>();
  let timer: NodeJS.Timeout | null = null;
  let isRefused = false;
  let unheard: readonly RequestId[] = [];

  function stop(): void {
    if (timer !== null) clearInterval(timer);
    timer = null;
  }

  function tell(): void {
    try {
      const { incarnation } = journal;
      const record = journal.read.head();
      const openAsks = asks.open().length;
      const presence = { session, incarnation, state: "up", serving: false, record } as const;
      const more = unheard.length === 0 ? {} : { unheard };
      const sign = { ...presence, openAsks, ...more };
      for (const parent of told.keys()) line.publishPresence(parent, sign);
    } catch (error) {
      log.debug({ err: error }, "a sign of life could not be sent");
    }
  }

  /** A parent that was left is told no longer than asks wait there. */
  function forgetOthers(parent: string): void {
    const waiting = new Set(asks.open().map(({ ask }) => ask.sealed.ask.targetSessionId));
    for (const one of told.keys()) if (one !== parent && !waiting.has(one)) told.delete(one);
  }

  return {
    heard: (inbound) => {
      if (isRefused || (inbound.kind !== "accepted" && inbound.kind !== "decision")) return;
      const { requestId, incarnation } = inbound.message;
      const parent = asks.sealed(requestId)?.ask.targetSessionId;
      if (parent === undefined) return;
      const before = told.get(parent);
      if (before === undefined) {
        told.set(parent, null);
        forgetOthers(parent);
      }
      timer ??= setInterval(tell, HEARTBEAT_MS).unref();
      if (inbound.kind !== "accepted" || before === incarnation) return;
      told.set(parent, incarnation);
      tell();
    },
    setUnheard: (requestIds) => {
      const named = requestIds.slice(0, MOST_UNHEARD);
      if (named.join(" ") === unheard.join(" ")) return;
      unheard = named;
      if (!isRefused && timer !== null) tell();
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

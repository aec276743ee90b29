import type { LostReason } from "../ask/lost.ts";
import type { Presence } from "../ask/messages.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { Bus } from "../bus/bus.ts";
import type { BusEvent } from "../bus/port.ts";
import { sessionToken } from "../bus/tokens.ts";
import type { Announcer } from "./announce.ts";
import type { AskBook } from "./ask-book.ts";
import type { AskEvent } from "./ask-status.ts";
import type { CancelQueue } from "./cancel-queue.ts";
import { hearPresence, type ParentSign, unheard } from "./parent-sign.ts";

/** What a child knows of its connection and of its parents' lives. */
export interface ChildLink {
  onBusEvent(event: BusEvent): void;
  onPresence(message: Presence): void;
  /** The last sign of a parent's life. */
  sign(parent: string): ParentSign;
  /** Why no answer can reach this process; null while one can. */
  severed(): LostReason | null;
}

/** Opens the look at one connection and the parents. */
export function openChildLink(parts: {
  readonly bus: Bus;
  readonly session: string;
  readonly parents: readonly string[];
  readonly asks: Pick<AskBook, "feedAll">;
  readonly cancels: Pick<CancelQueue, "resend">;
  readonly announcer: Pick<Announcer, "refused">;
  readonly clock: Clock;
  readonly log: Log;
}): ChildLink {
  const { bus, asks, cancels, clock, log } = parts;
  const answers = `${bus.prefix}.dec.`;
  const self = sessionToken(parts.session);
  const ours = new Map(
    parts.parents.map((parent) => [`${bus.prefix}.ask.${sessionToken(parent)}.${self}`, parent]),
  );
  const opened = unheard(clock.monotonic());
  const signs = new Map(parts.parents.map((parent) => [parent, opened]));
  let linked = bus.port.connected();
  let severed: AskEvent<"severed">["lost"] | null = null;

  function sever(lost: AskEvent<"severed">["lost"]): void {
    severed = lost;
    asks.feedAll({ kind: "severed", lost });
  }

  function refused(parent: string | undefined): void {
    if (parent !== undefined) asks.feedAll({ kind: "publish_refused" }, parent);
  }

  return {
    onBusEvent: (event) => {
      switch (event.kind) {
        case "connected":
        case "reconnected":
          // The server looks at the subscriptions anew, and says so again when it refuses one.
          severed = null;
          if (linked) return;
          linked = true;
          asks.feedAll({ kind: "reconnected" });
          cancels.resend();
          return;
        case "disconnected":
          linked = false;
          asks.feedAll({ kind: "disconnected" });
          return;
        case "publish_refused":
          if (parts.announcer.refused(event.subject)) return;
          log.warn({ subject: event.subject }, "the server refuses a publish of this session");
          refused(ours.get(event.subject));
          return;
        case "subscription_refused":
          log.error(
            { subject: event.subject },
            "the server refuses a subscription of this session",
          );
          if (event.subject.startsWith(answers)) sever("permission_refused");
          return;
        case "closed":
          sever("bus_unreachable");
          return;
        case "auth_refused":
        case "handler_failed":
        case "lame_duck":
        case "server_error":
        case "slow_consumer":
          log.debug({ event: event.kind }, "the connection told of something");
      }
    },
    onPresence: (message) => {
      const sign = signs.get(message.session);
      if (sign === undefined) return;
      const heard = hearPresence(sign, message, clock.monotonic());
      signs.set(message.session, heard.sign);
      if (!heard.returned) return;
      asks.feedAll({ kind: "parent_returned" }, message.session);
      cancels.resend();
    },
    sign: (parent) => signs.get(parent) ?? opened,
    severed: () => severed,
  };
}

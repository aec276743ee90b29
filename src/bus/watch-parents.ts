import { readJson } from "../wire/body.ts";
import { parsePresence } from "../wire/messages.ts";
import type { Subjects } from "../wire/subjects.ts";
import { encodeToken } from "../wire/token.ts";
import type { Drops } from "./drops.ts";
import type { ChildInbound } from "./lines.ts";
import type { BusPort, BusSubscription } from "./port.ts";

/** What heartbeats are heard with. */
export interface Watching {
  readonly port: BusPort;
  readonly subjects: Subjects;
  readonly drops: Drops;
  readonly onInbound: (inbound: ChildInbound) => void;
}

/** The parents a child listens to. */
export interface Watches {
  /** Listens until the returned function is called. */
  watch(parent: string): () => void;
  close(): void;
}

/** Listens to the heartbeats of watched parents: one subscription each, however many watch it. */
export function watchParents({ port, subjects, drops, onInbound }: Watching): Watches {
  const watched = new Map<string, { readonly standing: BusSubscription; watchers: number }>();
  const hear = (token: string): BusSubscription =>
    port.subscribe(
      subjects.of("hb", { session: token }),
      drops.guard((delivery) => {
        const message = parsePresence(readJson(delivery.data));
        if (message === null || encodeToken(message.session) !== token) {
          drops.drop("unreadable_presence");
        } else onInbound({ kind: "presence", message });
      }),
    );
  return {
    watch: (parent) => {
      const token = encodeToken(parent);
      const watch = watched.get(token) ?? { standing: hear(token), watchers: 0 };
      watch.watchers += 1;
      watched.set(token, watch);
      let watching = true;
      return () => {
        if (!watching) return;
        watching = false;
        watch.watchers -= 1;
        if (watch.watchers > 0) return;
        watch.standing.unsubscribe();
        watched.delete(token);
      };
    },
    close: () => {
      for (const { standing } of watched.values()) standing.unsubscribe();
      watched.clear();
    },
  };
}

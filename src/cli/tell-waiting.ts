import type { Log } from "../ask/ports.ts";
import type { Child, PendingAsk } from "../child/child.ts";

/** How often a program looks at its asks that wait, in milliseconds. */
const LOOK_EVERY_MS = 500;

/** Why asks at one parent do not get on. */
type Stuck = "disconnected" | "unserved" | "silent";

const TEXTS: Readonly<Record<Stuck, string>> = {
  disconnected: "the connection to NATS is lost; what waits goes on when it is back",
  unserved: "no process serves the parent; what it took waits until one does, or its time is over",
  silent:
    "nothing is heard of the parent; what it took waits until it is back, or its time is over",
};

/** Says on the log when asks that a parent has taken cannot get on, and when they can again. */
export function tellWaiting(child: Pick<Child, "pending">, log: Log): Disposable {
  const stuck = new Map<string, Stuck>();
  const timer = setInterval(() => {
    const waiting = byParent(child.pending());
    for (const parent of stuck.keys()) if (!waiting.has(parent)) stuck.delete(parent);
    for (const [parent, asks] of waiting) {
      const before = stuck.get(parent);
      const first = asks.find((ask) => stateOf(ask) !== null);
      const now = first === undefined ? null : stateOf(first);
      if (now === (before ?? null)) continue;
      if (first === undefined || now === null) {
        stuck.delete(parent);
        log.warn({ parent, asks: asks.length }, "the parent is heard again; what waits goes on");
      } else {
        stuck.set(parent, now);
        const since = first.parentGoneSince;
        const fields = { parent, asks: asks.length, since: since === null ? null : iso(since) };
        log.warn(fields, TEXTS[now]);
      }
    }
  }, LOOK_EVERY_MS).unref();
  return {
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Null while it gets on. Before a parent has taken an ask, its end comes soon enough and says all. */
function stateOf({ reach, parentGoneSince }: PendingAsk): Stuck | null {
  if (reach === "disconnected") return reach;
  return parentGoneSince === null || reach === "reachable" ? null : reach;
}

function byParent(pending: readonly PendingAsk[]): ReadonlyMap<string, readonly PendingAsk[]> {
  const found = new Map<string, PendingAsk[]>();
  for (const ask of pending) {
    const asks = found.get(ask.parent);
    if (asks === undefined) found.set(ask.parent, [ask]);
    else asks.push(ask);
  }
  return found;
}

const iso = (ms: number): string => new Date(ms).toISOString();

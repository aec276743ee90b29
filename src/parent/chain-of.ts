import type { LinkQuery, Log } from "../ask/ports.ts";
import { createLinkRegistry, type LinkRegistry } from "../chain/link-registry.ts";
import { type ChainEvent, runChain } from "../chain/run-chain.ts";
import { openLinkHealth } from "./link-health.ts";
import { askEntry } from "./records.ts";
import { sendProgress } from "./send.ts";
import type { ChainHolder, ChainOptions, LiveAsk, Serving } from "./serving.ts";

interface Standing extends Omit<ChainOptions, "links"> {
  readonly links: LinkRegistry;
  /** Aborted when other links take the place of these. */
  readonly replaced: AbortController;
}

/**
 * Holds the chain of one serving process: what it tells becomes review entries and a named holder.
 *
 * @throws Error when two links have one name.
 */
export function holdChain(options: ChainOptions, serving: () => Serving): ChainHolder {
  let standing = take(options);
  const health = openLinkHealth((fields, text) => serving().log.error(fields, text));

  return {
    ask: async (live) => {
      for (;;) {
        const now = standing;
        live.links.length = 0;
        const ruling = await runChain({
          chain: now.chain,
          links: now.links,
          details: live.details,
          query: queryFor(serving(), live),
          linkLog: (name) => logOf(serving().log, name, live),
          signal: AbortSignal.any([live.abort.signal, now.replaced.signal]),
          linkTimeoutMs: now.linkTimeoutMs,
          log: (event) => record(serving(), live, event),
          onHeldBy: (name) => held(serving(), live, name),
          onReport: (report) => {
            live.links.push(report);
            health.note(report);
          },
        });
        // A link that was taken out meanwhile decides nothing any more: the ask is put to those that stand.
        if (now === standing || live.abort.signal.aborted) return ruling;
      }
    },
    delegate: (live) => {
      const { chain: links } = standing;
      if (links.length > 0) record(serving(), live, { event: "authorizer_chain_delegated", links });
    },
    isEmpty: () => standing.chain.length === 0,
    replace: (next) => {
      const before = standing;
      standing = take(next);
      before.replaced.abort(new Error("other links took the place of these"));
    },
    counts: () => health.read(),
  };
}

function take({ links, chain, linkTimeoutMs }: ChainOptions): Standing {
  const registry = createLinkRegistry(links);
  return { links: registry, chain, linkTimeoutMs, replaced: new AbortController() };
}

function queryFor(serving: Serving, live: LiveAsk): LinkQuery {
  return {
    checkPermission: async (surface, value) => serving.rules.check(live.ask, surface, value),
  };
}

function logOf(log: Log, link: string, live: LiveAsk): Log {
  const told = (fields: object): object => ({ ...fields, link, requestId: live.requestId });
  return {
    debug: (fields, text) => log.debug(told(fields), text),
    info: (fields, text) => log.info(told(fields), text),
    warn: (fields, text) => log.warn(told(fields), text),
    error: (fields, text) => log.error(told(fields), text),
  };
}

function record(serving: Serving, live: LiveAsk, told: ChainEvent): void {
  const { event, ...fields } = told;
  if (event === "authorizer_link_failed" || event === "authorizer_link_vacant") {
    serving.counters.count("link_failed");
    serving.log.warn({ requestId: live.requestId, ...fields }, "a link failed and deferred");
  }
  serving.ledger.soon((tx) => {
    tx.record(askEntry(serving.draft, event, live.ask, fields), serving.clock.now());
  });
}

function held(serving: Serving, live: LiveAsk, name: string | null): void {
  if (name === null || live.state !== "authorizer") return;
  live.heldBy = { kind: "authorizer", name };
  sendProgress(serving, live, 0);
}

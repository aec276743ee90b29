import type { Link } from "../ask/ports.ts";
import { createLinkRegistry } from "../chain/link-registry.ts";
import { type ChainEvent, runChain } from "../chain/run-chain.ts";
import { askEntry } from "./records.ts";
import { sendProgress } from "./send.ts";
import type { ChainOf, LiveAsk, Serving } from "./serving.ts";

/** Links and their order, as a parent is opened with them. */
export interface ChainOptions {
  readonly links: readonly Link[];
  readonly chain: readonly string[];
  readonly linkTimeoutMs: number;
}

/**
 * Makes the chain of one serving process: what it tells becomes review entries and a named holder.
 *
 * @throws Error when two links have one name.
 */
export function chainOf(options: ChainOptions, serving: () => Serving): ChainOf {
  const links = createLinkRegistry(options.links);
  return async (live) =>
    runChain({
      chain: options.chain,
      links,
      details: live.details,
      signal: live.abort.signal,
      linkTimeoutMs: options.linkTimeoutMs,
      log: (event) => record(serving(), live, event),
      onHeldBy: (name) => held(serving(), live, name),
    });
}

function record(serving: Serving, live: LiveAsk, told: ChainEvent): void {
  const { event, ...fields } = told;
  if (event === "authorizer_link_failed") {
    serving.counters.count("link_failed");
    serving.log.warn({ requestId: live.ask.id, ...fields }, "a link failed and deferred");
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

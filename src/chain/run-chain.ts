import type { Ruling } from "../ask/decision.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Link, LinkVerdict } from "../ask/ports.ts";
import { askLink } from "./ask-link.ts";
import { capVerdict } from "./envelope.ts";
import type { LinkRegistry } from "./link-registry.ts";

/** What a chain tells of its work; each is a review entry. */
export type ChainEvent =
  /** Before the first link runs, with the links that will; never when none of the chain is registered. */
  | { readonly event: "authorizer_chain_resolved"; readonly links: readonly string[] }
  /** A relay leaves the chain to the node that decides. */
  | { readonly event: "authorizer_chain_delegated"; readonly links: readonly string[] }
  | { readonly event: "authorizer_chain_unregistered_link"; readonly name: string }
  /** The link threw, took too long or answered something else than a verdict, and so deferred. */
  | { readonly event: "authorizer_link_failed"; readonly name: string; readonly reason: string };

/** What one run of the chain is given. */
export interface ChainRun {
  /** The configured `authorizerChain`: the order of the links, whatever order they registered in. */
  readonly chain: readonly string[];
  readonly links: LinkRegistry;
  readonly details: PromptPermissionDetails;
  /** Aborting it ends the run: links are aborted and what they say later is ignored. */
  readonly signal: AbortSignal;
  /** Longest time of one link, in milliseconds. */
  readonly linkTimeoutMs: number;
  readonly log: (event: ChainEvent) => void;
  /** Whether this node relays the ask: then no link is asked here. @defaultValue false */
  readonly relaying?: boolean;
  /** Called with each link that takes the ask, and with null when none holds it any longer. */
  readonly onHeldBy?: (name: string | null) => void;
}

/**
 * Asks the links of the chain in configured order until one allows or denies. Each is under the envelope and
 * its own deadline, and one that fails defers. Never rejects.
 *
 * @returns The ruling of the link that decided, for once and never for the session; null when all deferred, when
 * no link was asked or when `signal` was aborted: then the terminal decides.
 */
export async function runChain(run: ChainRun): Promise<Ruling | null> {
  if (run.relaying === true) {
    if (run.chain.length > 0) {
      run.log({ event: "authorizer_chain_delegated", links: run.chain });
    }
    return null;
  }
  const links = resolveLinks(run);
  if (links.length === 0) return null;
  run.log({ event: "authorizer_chain_resolved", links: links.map((link) => link.name) });
  try {
    for (const link of links) {
      if (run.signal.aborted) return null;
      run.onHeldBy?.(link.name);
      const verdict = await judgeBy(link, run);
      if (verdict !== null) return rulingOf(link.name, verdict);
    }
    return null;
  } finally {
    run.onHeldBy?.(null);
  }
}

function resolveLinks(run: ChainRun): readonly Link[] {
  const links: Link[] = [];
  for (const name of run.chain) {
    const link = run.links.find(name);
    if (link === undefined) run.log({ event: "authorizer_chain_unregistered_link", name });
    else links.push(link);
  }
  return links;
}

type Settled = Exclude<LinkVerdict, { readonly kind: "defer" }>;

async function judgeBy(link: Link, run: ChainRun): Promise<Settled | null> {
  const answer = await askLink(link, run.details, run.signal, run.linkTimeoutMs);
  if (run.signal.aborted) return null;
  if (answer.kind === "failed") {
    run.log({ event: "authorizer_link_failed", name: link.name, reason: answer.reason });
    return null;
  }
  const { verdict } = answer;
  return verdict.kind !== "defer" && capVerdict(verdict.kind, run.details) === verdict.kind
    ? verdict
    : null;
}

function rulingOf(name: string, verdict: Settled): Ruling {
  const reason = verdict.reason ?? null;
  const decidedBy = { kind: "authorizer", name, verdict: verdict.kind, reason } as const;
  if (verdict.kind === "allow") return { approved: true, state: "approved", decidedBy };
  return reason === null || reason === ""
    ? { approved: false, state: "denied", decidedBy }
    : { approved: false, state: "denied_with_reason", denialReason: reason, decidedBy };
}

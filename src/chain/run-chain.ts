import type { Ruling } from "../ask/decision.ts";
import type { PromptPermissionDetails } from "../ask/details.ts";
import type { Link, LinkQuery, LinkVerdict, Log } from "../ask/ports.ts";
import { askLink, type LinkAnswer } from "./ask-link.ts";
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
  | { readonly event: "authorizer_link_failed"; readonly name: string; readonly reason: string }
  /** Nothing is behind the name: the module cannot be loaded, the program is not there. It deferred. */
  | { readonly event: "authorizer_link_vacant"; readonly name: string; readonly reason: string };

/** What one link made of one ask. */
export interface LinkReport {
  readonly name: string;
  /** What it said; a link that failed deferred. */
  readonly verdict: LinkVerdict["kind"];
  /** Present when the envelope made a defer of its allow. */
  readonly capped?: true;
  /** Present when it failed: why. */
  readonly failed?: string;
}

/** What one run of the chain is given. */
export interface ChainRun {
  /** The configured `authorizerChain`: the order of the links, whatever order they registered in. */
  readonly chain: readonly string[];
  readonly links: LinkRegistry;
  readonly details: PromptPermissionDetails;
  /** The rules, as links may ask them. */
  readonly query: LinkQuery;
  /** Where a link says what it does. */
  readonly linkLog: (name: string) => Log;
  /** Aborting it ends the run: links are aborted and what they say later is ignored. */
  readonly signal: AbortSignal;
  /** Longest time of a link that has none of its own, in milliseconds. */
  readonly linkTimeoutMs: number;
  readonly log: (event: ChainEvent) => void;
  /** Whether this node relays the ask: then no link is asked here. @defaultValue false */
  readonly relaying?: boolean;
  /** Called with each link that takes the ask, and with null when none holds it any longer. */
  readonly onHeldBy?: (name: string | null) => void;
  /** Called with what each link made of the ask, in order; not for one whose ask was taken back. */
  readonly onReport?: (report: LinkReport) => void;
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
  const { details, query, signal } = run;
  const answer = await askLink(link, {
    details,
    query,
    log: run.linkLog(link.name),
    signal,
    timeoutMs: link.timeoutMs ?? run.linkTimeoutMs,
  });
  if (signal.aborted) return null;
  if (answer.kind !== "answered") return deferredBy(link.name, answer, run);
  const { verdict } = answer;
  const capped = capVerdict(verdict.kind, details) !== verdict.kind;
  run.onReport?.({ name: link.name, verdict: verdict.kind, ...(capped ? { capped } : {}) });
  return verdict.kind === "defer" || capped ? null : verdict;
}

function deferredBy(
  name: string,
  { kind, reason }: Exclude<LinkAnswer, { kind: "answered" }>,
  run: ChainRun,
): null {
  const event = kind === "vacant" ? "authorizer_link_vacant" : "authorizer_link_failed";
  run.log({ event, name, reason });
  run.onReport?.({ name, verdict: "defer", failed: reason });
  return null;
}

function rulingOf(name: string, verdict: Settled): Ruling {
  const reason = verdict.reason ?? null;
  const decidedBy = { kind: "authorizer", name, verdict: verdict.kind, reason } as const;
  if (verdict.kind === "allow") return { approved: true, state: "approved", decidedBy };
  return reason === null || reason === ""
    ? { approved: false, state: "denied", decidedBy }
    : { approved: false, state: "denied_with_reason", denialReason: reason, decidedBy };
}

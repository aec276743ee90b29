import type { Ruling } from "../../../src/ask/decision.ts";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import type { PromptPermissionDetails } from "../../../src/ask/details.ts";
import type { Link, LinkVerdict } from "../../../src/ask/ports.ts";
import { capVerdict, type EnvelopeFacts } from "../../../src/chain/envelope.ts";
import { createLinkRegistry } from "../../../src/chain/link-registry.ts";
import { type ChainEvent, runChain } from "../../../src/chain/run-chain.ts";
import type { Ops } from "./ops.ts";

interface ScriptedLink {
  name: string;
  does: "allow" | "deny" | "defer" | "throw" | "hang" | "garbage";
  reason?: string;
  returns?: unknown;
  throws?: unknown;
}

interface ChainInput {
  chain: string[];
  links: ScriptedLink[];
  details: PromptPermissionDetails;
  terminal: { does: "allow" | "deny" | "unavailable"; reason?: string };
  relaying?: boolean;
  linkTimeoutMs: number;
}

interface EnvelopeInput {
  verdict: LinkVerdict["kind"];
  details: EnvelopeFacts;
}

/** Operations on the chain room. */
export const chainOps: Ops = {
  runChain: async ({ links, terminal, ...given }: ChainInput) => {
    const consulted: string[] = [];
    const log: ChainEvent[] = [];
    const ruling = await runChain({
      ...given,
      query: { checkPermission: async () => ({ state: "ask", pattern: null, reason: null }) },
      linkLog: () => SILENT_LOG,
      links: createLinkRegistry(links.map((link) => played(link, consulted))),
      signal: new AbortController().signal,
      log: (event) => log.push(event),
    });
    return { decision: ruling ?? playedTerminal(terminal), consulted, log };
  },
  envelope: ({ verdict, details }: EnvelopeInput) => ({ verdict: capVerdict(verdict, details) }),
};

function played(script: ScriptedLink, consulted: string[]): Link {
  return {
    name: script.name,
    judge: async () => {
      consulted.push(script.name);
      if (script.does === "throw") {
        // oxlint-disable-next-line typescript/only-throw-error -- a link may throw anything
        throw "throws" in script ? script.throws : new Error("scripted");
      }
      if (script.does === "hang") return new Promise<never>(() => undefined);
      if (script.does === "garbage") return script.returns as LinkVerdict;
      return script.reason === undefined
        ? { kind: script.does }
        : ({ kind: script.does, reason: script.reason } as LinkVerdict);
    },
  };
}

function playedTerminal({ does, reason }: ChainInput["terminal"]): Ruling {
  if (does === "unavailable") {
    const decidedBy = { kind: "unavailable", reason: reason ?? "nobody is there" } as const;
    return { approved: false, state: "denied", decidedBy };
  }
  const decidedBy = { kind: "user", via: "dialog" } as const;
  if (does === "allow") return { approved: true, state: "approved", decidedBy };
  return reason === undefined
    ? { approved: false, state: "denied", decidedBy }
    : { approved: false, state: "denied_with_reason", denialReason: reason, decidedBy };
}

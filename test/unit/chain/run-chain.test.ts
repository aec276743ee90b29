import { describe, expect, test } from "vitest";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import type { PromptPermissionDetails } from "../../../src/ask/details.ts";
import type { Link, LinkQuery, LinkVerdict } from "../../../src/ask/ports.ts";
import { createLinkRegistry } from "../../../src/chain/link-registry.ts";
import { type ChainEvent, type ChainRun, runChain } from "../../../src/chain/run-chain.ts";

const details: PromptPermissionDetails = {
  requestId: "perm-1",
  source: "tool_call",
  agentName: "mason",
  payload: {
    kind: "bash",
    request: {
      requester: { agentName: "mason", forwarded: true, sessionId: "kid-1" },
      surface: "bash",
      toolName: "bash",
      invokedToolName: null,
      value: "make lint",
      matchedPattern: null,
      commandContext: null,
      executedUnit: null,
    },
    evidence: [],
    annotations: [],
  },
  surface: "bash",
  value: "make lint",
  forwarding: null,
};

const NO_RULES: LinkQuery = {
  checkPermission: async () => ({ state: "ask", pattern: null, reason: null }),
};

function aLink(name: string, judge: Link["judge"]): Link {
  return { name, judge };
}

function saying(name: string, verdict: LinkVerdict): Link {
  return aLink(name, async () => verdict);
}

function aRun(links: readonly Link[], parts: Partial<ChainRun> = {}) {
  const log: ChainEvent[] = [];
  const run: ChainRun = {
    chain: links.map((link) => link.name),
    links: createLinkRegistry(links),
    details,
    query: NO_RULES,
    linkLog: () => SILENT_LOG,
    signal: new AbortController().signal,
    linkTimeoutMs: 5_000,
    log: (event) => log.push(event),
    ...parts,
  };
  return { run, log };
}

describe("authorizer chain", () => {
  test("the chain tells who holds the ask and that nobody does in the end", async () => {
    const held: (string | null)[] = [];
    const links = [saying("alpha", { kind: "defer" }), saying("beta", { kind: "allow" })];
    const { run, log } = aRun(links, { onHeldBy: (name) => held.push(name) });
    await expect(runChain(run)).resolves.toEqual({
      approved: true,
      state: "approved",
      decidedBy: { kind: "authorizer", name: "beta", verdict: "allow", reason: null },
    });
    expect(held).toEqual(["alpha", "beta", null]);
    expect(log).toEqual([{ event: "authorizer_chain_resolved", links: ["alpha", "beta"] }]);
  });

  test("a chain without a registered link defers and records no resolution", async () => {
    const { run, log } = aRun([], { chain: ["ghost"] });
    await expect(runChain(run)).resolves.toBeNull();
    expect(log).toEqual([{ event: "authorizer_chain_unregistered_link", name: "ghost" }]);
  });

  test("a link past its deadline is aborted and its late allow counts for nothing", async () => {
    let reason: unknown;
    const slow = aLink(
      "slow",
      async (_details, _query, _log, signal) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => {
            reason = signal.reason;
            resolve({ kind: "allow" });
          });
        }),
    );
    const { run, log } = aRun([slow], { linkTimeoutMs: 20 });
    await expect(runChain(run)).resolves.toBeNull();
    expect(reason).toBeInstanceOf(Error);
    expect(log.at(-1)).toEqual({
      event: "authorizer_link_failed",
      name: "slow",
      reason: "no answer within 20 ms",
    });
  });

  test("a cancelled ask aborts the link that holds it and asks no other", async () => {
    const cancel = new AbortController();
    const asked: string[] = [];
    const slow = aLink("slow", async (_details, _query, _log, signal) => {
      asked.push("slow");
      cancel.abort();
      expect(signal.aborted).toBe(true);
      return { kind: "allow" };
    });
    const next = aLink("next", async () => {
      asked.push("next");
      return { kind: "allow" };
    });
    const { run, log } = aRun([slow, next], { signal: cancel.signal });
    await expect(runChain(run)).resolves.toBeNull();
    expect(asked).toEqual(["slow"]);
    expect(log.map((entry) => entry.event)).toEqual(["authorizer_chain_resolved"]);
  });

  test("a verdict outside the three defers, whatever the link says beside it", async () => {
    const answers: unknown[] = [{ kind: "block" }, { kind: "ALLOW" }, "allow", null, [], 1];
    for (const answer of answers) {
      const { run, log } = aRun([saying("odd", answer as LinkVerdict)]);
      await expect(runChain(run)).resolves.toBeNull();
      expect(log.at(-1)?.event).toBe("authorizer_link_failed");
    }
  });

  test("an inherited kind is no verdict", async () => {
    const inherited = Object.create({ kind: "allow" }) as LinkVerdict;
    const { run } = aRun([saying("odd", inherited)]);
    await expect(runChain(run)).resolves.toBeNull();
  });
});

describe("link registry", () => {
  test("a name can be registered once", () => {
    const registry = createLinkRegistry([saying("alpha", { kind: "defer" })]);
    expect(() => registry.register(saying("alpha", { kind: "allow" }))).toThrow(
      'link "alpha" is registered already',
    );
  });

  test("an old disposer leaves a later link of the same name alone", () => {
    const registry = createLinkRegistry();
    const dispose = registry.register(saying("alpha", { kind: "defer" }));
    dispose();
    const second = saying("alpha", { kind: "allow" });
    registry.register(second);
    dispose();
    expect(registry.find("alpha")).toBe(second);
  });
});

import { describe, expect, it } from "vitest";
import type { ForwardedAccessFacts, ForwardedAccessIntent } from "../../../src/ask/facts.ts";
import type { Policy } from "../../../src/policy/policy.ts";
import { aGrant, aPolicy, commandFacts, factsOn, globally, rules } from "../../support/rules.ts";

function intentOf(facts: ForwardedAccessFacts, agentName = "mason"): ForwardedAccessIntent {
  return { ...facts, requesterCwd: "/srv/tree-9", principal: { sessionId: "kid-1", agentName } };
}

function judge(policy: Policy, facts: ForwardedAccessFacts, attestedAgent: string | null = null) {
  return policy.judgeForwarded({ intent: intentOf(facts), attestedAgent, grants: [] });
}

const INCOMPLETE = { verdict: "ask", decidedBy: null, floor: "<incomplete-facts>" };

describe("a forwarded shell ask", () => {
  it("is denied by any part of a chain that the child sent as one unit", () => {
    const policy = globally({
      bash: { "*": "allow", "rm *": { action: "deny", reason: "keep it" } },
    });
    expect(judge(policy, commandFacts("ls && rm x"))).toMatchObject({
      verdict: "deny",
      denialReason: "keep it",
      decidedBy: { kind: "rule", pattern: "rm *" },
    });
  });

  it("is not allowed where the child left out that the command is more than one word list", () => {
    const policy = globally({ bash: { "ls*": "allow" } });
    expect(judge(policy, commandFacts("ls; curl x"))).toMatchObject({
      verdict: "ask",
      decidedBy: null,
    });
  });

  it("keeps a floor that is not known here", () => {
    const facts = commandFacts("ls", { floor: "<newer-floor>" });
    expect(judge(globally({ bash: "allow" }), facts)).toMatchObject({
      verdict: "ask",
      floor: "<newer-floor>",
    });
  });

  it.each([
    ["an empty list of units", { units: [] }],
    [
      "a unit that says so",
      { units: [{ value: "ls", floor: "<incomplete-facts>", context: null }] },
    ],
    ["no match value", { matchValues: [] }],
  ])("with %s is answered by neither a rule nor yolo", (_, parts) => {
    const policy = aPolicy({ global: rules({ bash: "allow" }), yolo: true });
    expect(judge(policy, commandFacts("ls", parts))).toMatchObject(INCOMPLETE);
  });

  it.each([
    ["a blank that its units lose", { "*": "allow", "\n*": "deny" }, "\nls"],
    ["the whole of a chain", { "*": "allow", "ls && *": "deny" }, "ls && date"],
  ] as const)("without units is denied by a rule over %s", (_what, bash, value) => {
    const { units: _units, ...facts } = commandFacts(value);
    expect(judge(globally({ bash }), facts).verdict).toBe("deny");
  });

  it("of more text than is taken apart asks, and a denied unit still denies", () => {
    const policy = globally({ bash: { "*": "allow", "rm *": "deny" } });
    const units = Array.from({ length: 70 }, (_, i) => ({
      value: `echo ${i} ${"x".repeat(1000)}`,
      floor: null,
      context: null,
    }));
    expect(judge(policy, commandFacts("ls", { units }))).toMatchObject(INCOMPLETE);
    const worse = [...units, { value: "rm x", floor: null, context: null }];
    expect(judge(policy, commandFacts("ls", { units: worse })).verdict).toBe("deny");
  });

  it("of more units than are judged asks", () => {
    const units = Array.from({ length: 5000 }, (_, i) => ({
      value: `a${i}`,
      floor: null,
      context: null,
    }));
    expect(judge(globally({ bash: "allow" }), commandFacts("ls", { units }))).toMatchObject(
      INCOMPLETE,
    );
  });
});

describe("a forwarded shell ask of many parts", () => {
  it("asks when its units together have more readings than are judged", () => {
    const policy = aPolicy({ global: rules({ bash: "allow" }), yolo: true });
    const units = Array.from({ length: 20 }, (_, i) => ({
      value: Array.from({ length: 60 }, (__, k) => `a${i}b${k}`).join(";"),
      floor: null,
      context: null,
    }));
    expect(judge(policy, commandFacts("ls", { units }))).toMatchObject({
      verdict: "ask",
      decidedBy: null,
    });
    expect(judge(policy, commandFacts("ls", { units: units.slice(0, 5) })).verdict).toBe("allow");
  });
});

describe("paths of a forwarded ask", () => {
  const secret = {
    surface: "path_read",
    matchValues: ["/srv/tree-9/secrets/k", "secrets/k"],
    boundaryValue: null,
  };

  it("a denied path denies also where the command itself would ask", () => {
    const policy = globally({ bash: "ask", path: { "secrets/*": "deny" } });
    expect(judge(policy, commandFacts("cat secrets/k", { paths: [secret] })).verdict).toBe("deny");
  });

  it("a path that asks is answered by a grant for it", () => {
    const policy = globally({ bash: "allow", path: { "secrets/*": "ask" } });
    const intent = intentOf(commandFacts("cat secrets/k", { paths: [secret] }));
    const answer = (grants = [aGrant("path_read", "secrets/*")]) =>
      policy.judgeForwarded({ intent, attestedAgent: null, grants }).verdict;
    expect(answer([])).toBe("ask");
    expect(answer()).toBe("allow");
  });

  it("one outside path that a rule allows does not carry another out with it", () => {
    const policy = globally({ external_directory: { "/opt/*": "allow" } });
    const outside = (path: string) => ({
      surface: "external_directory_read",
      matchValues: [path],
      boundaryValue: path,
    });
    const asking = (...paths: readonly string[]) =>
      judge(policy, { ...outside("/opt/a"), paths: paths.map(outside) }).verdict;
    expect(asking("/opt/a")).toBe("allow");
    expect(asking("/opt/a", "/opt/b")).toBe("allow");
    expect(asking("/opt/a", "/etc/b")).toBe("ask");
  });

  it("a path without a name is never allowed", () => {
    const paths = [{ surface: "path", matchValues: [], boundaryValue: null }];
    expect(judge(globally({ bash: "allow" }), commandFacts("ls", { paths }))).toMatchObject(
      INCOMPLETE,
    );
  });

  it("more paths than are judged are never allowed", () => {
    const paths = Array.from({ length: 1001 }, () => secret);
    expect(judge(globally({ bash: "allow" }), commandFacts("ls", { paths }))).toMatchObject(
      INCOMPLETE,
    );
  });
});

describe("the agent of a forwarded ask", () => {
  const sources = {
    global: rules({ bash: "ask" }),
    agents: new Map([
      ["mason", rules({ bash: { "rm *": "deny", "make *": "allow" } })],
      ["joiner", rules({ bash: "allow" })],
    ]),
  };

  it("claims another name than the roster holds and gains nothing, nor escapes its own rules", () => {
    const policy = aPolicy(sources);
    const as = (command: string) =>
      policy.judgeForwarded({
        intent: intentOf(commandFacts(command), "joiner"),
        attestedAgent: "mason",
        grants: [],
      }).verdict;
    expect(as("ls")).toBe("ask");
    expect(as("rm x")).toBe("deny");
    expect(as("make x")).toBe("ask");
  });
});

describe("a forwarded ask without facts", () => {
  it("is decided by nobody, and by no denying default either", () => {
    const answer = globally({ "*": "deny" }).judgeForwarded({
      intent: null,
      attestedAgent: null,
      grants: [],
    });
    expect(answer).toEqual({ verdict: "ask", decidedBy: null, floor: null, denialReason: null });
  });
});

describe("a forwarded MCP ask", () => {
  it("is judged by all its names", () => {
    const policy = globally({ mcp: { "*": "allow", vault: "deny" } });
    expect(judge(policy, factsOn("mcp", "vault:list", "vault_list", "vault")).verdict).toBe("deny");
  });
});

import { describe, expect, it } from "vitest";
import type { Grant } from "../../../src/ask/grant.ts";
import type { ToolCall } from "../../../src/ask/tool-call.ts";
import { type ExplainContext, explainCall } from "../../../src/cli/explain-call.ts";
import type { PolicySources } from "../../../src/policy/sources.ts";
import { aGrant, rules } from "../../support/rules.ts";

function explained(
  sources: PolicySources,
  call: Partial<ToolCall>,
  rest: {
    readonly grants?: readonly Grant[];
    readonly agent?: string;
    readonly parent?: Partial<ExplainContext["parent"]>;
  } = {},
) {
  return explainCall(
    { toolName: "bash", input: {}, cwd: "/srv/app", ...call },
    {
      rules: sources,
      gates: { home: "/home/ann", platform: "linux", realpath: (path) => path },
      agent: rest.agent ?? null,
      session: "kid-1",
      grants: rest.grants ?? [],
      parent: { rules: sources, grants: [], ...rest.parent },
    },
  );
}

const bash = (command: string): Partial<ToolCall> => ({ input: { command } });

describe("an explained call", () => {
  it("shows every rule that matches from lowest to highest, and the one that decides", () => {
    const global = rules({
      "*": "deny",
      bash: { "*": "ask", "git *": "allow", "git push *": "ask" },
    });
    const [request] = explained({ global }, bash("git push origin")).requests;
    const reading = request?.readings[0];
    expect(reading?.voices.map(({ pattern, decides }) => [pattern, decides])).toEqual([
      [null, false],
      ["*", false],
      ["git *", false],
      ["git push *", true],
    ]);
    expect(reading).toMatchObject({ kind: "unit", state: "ask", wins: true });
  });

  it("counts a grant over an ask, at the child and at the parent each its own", () => {
    const global = rules({ bash: "ask" });
    const grants = [aGrant("bash", "make *")];
    const own = explained({ global }, bash("make deploy"), { grants });
    expect(own).toMatchObject({ child: "allow", parent: null });
    expect(own.requests[0]?.readings[0]?.voices.at(-1)).toMatchObject({
      from: "grant",
      decides: true,
    });
    const theirs = explained({ global }, bash("make deploy"), {
      parent: { rules: { global }, grants },
    });
    expect(theirs).toMatchObject({ child: "ask", parent: "allow" });
  });

  it("says nothing of a parent when the child denies one of its requests", () => {
    const global = rules({ bash: "ask", path: { "*.env": "deny" } });
    const call = explained({ global }, bash("cat .env"));
    expect(call).toMatchObject({ child: "deny", parent: null });
    expect(call.requests.map(({ state, raised }) => [state, raised])).toEqual([
      ["deny", true],
      ["ask", true],
    ]);
  });

  it("shows that a path which the parent denies reaches it with a shell ask", () => {
    const parent = { rules: { global: rules({ bash: "allow", path: { "*.env": "deny" } }) } };
    const { requests } = explained({}, bash("cat .env"), { parent });
    const shell = requests.find(({ gate }) => gate.facts.surface === "bash");
    expect(shell?.parent.verdict).toMatchObject({
      verdict: "deny",
      decidedBy: { pattern: "*.env" },
    });
    expect(shell?.parent.readings.find(({ wins }) => wins)).toMatchObject({ kind: "path" });
  });

  it("lets one part alone decide where several outside paths share a request", () => {
    const global = rules({ bash: "allow", external_directory: { "/opt/*": "allow" } });
    const [outside] = explained({ global }, bash("cat /opt/x /etc/a")).requests;
    expect(outside?.state).toBe("ask");
    expect(outside?.readings.map(({ values, wins }) => [values, wins])).toEqual([
      [["/opt/x"], false],
      [["/etc/a"], true],
    ]);
  });

  it("names what was laid over the rules", () => {
    const global = rules({ bash: "allow" });
    const [closed] = explained({ global, invalid: ["project"] }, bash("ls")).requests;
    expect(closed).toMatchObject({ state: "ask", overlays: ["fail-closed"] });
    const [open] = explained({ global: rules({ bash: "ask" }), yolo: true }, bash("ls")).requests;
    expect(open).toMatchObject({ state: "allow", overlays: ["yolo"] });
  });

  it("reads an agent's rules alone at the child, and beside everybody's at a parent that does not know it", () => {
    const agents = new Map([["reviewer", rules({ bash: { "npm *": "allow" } })]]);
    const [request] = explained({ agents }, bash("npm test"), { agent: "reviewer" }).requests;
    expect(request?.readings.map(({ agent }) => agent)).toEqual(["reviewer"]);
    expect(request?.parent.readings.map(({ agent, state }) => [agent, state])).toEqual([
      [null, "ask"],
      ["reviewer", "allow"],
    ]);
    expect(request?.parent.verdict.verdict).toBe("ask");
  });
});

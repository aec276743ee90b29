import { describe, expect, it } from "vitest";
import type { Grant, GrantPattern } from "../../../src/ask/grant.ts";
import type { ToolCall } from "../../../src/ask/tool-call.ts";
import { type JudgedRequest, judgeCall } from "../../../src/child/judge-call.ts";
import type { GateContext } from "../../../src/gates/context.ts";
import type { PolicySources } from "../../../src/policy/sources.ts";
import { aGrant, aPolicy, rules } from "../../support/rules.ts";

function judged(
  sources: PolicySources,
  call: Partial<ToolCall>,
  rest: { readonly grants?: readonly Grant[]; readonly gates?: Partial<GateContext> } = {},
) {
  return judgeCall(
    { toolName: "bash", input: {}, cwd: "/srv/tree-9", ...call },
    {
      policy: aPolicy(sources),
      gates: { home: "/home/ann", platform: "linux", realpath: (path) => path, ...rest.gates },
      grants: rest.grants ?? [],
      agent: null,
    },
  );
}

function suggested(request: JudgedRequest | undefined): readonly GrantPattern[] {
  return request?.gate.suggestion(request.verdict)?.grants ?? [];
}

const bash = (command: string): Partial<ToolCall> => ({ input: { command } });

describe("a call judged at the child", () => {
  it("is denied when one gate denies and another asks", () => {
    const call = { toolName: "write", input: { path: "/etc/motd" } };
    const { state, requests } = judged({ global: rules({ write: "deny" }) }, call);
    expect(state).toBe("deny");
    expect(requests.map((request) => request.state)).toEqual(["ask", "deny"]);
  });

  it("names who decided exactly where somebody did", () => {
    const { requests } = judged(
      { global: rules({ read: "allow" }) },
      { toolName: "read", input: { path: "/etc/motd" } },
    );
    expect(requests.map(({ state, decidedBy }) => [state, decidedBy])).toEqual([
      ["ask", null],
      ["allow", { kind: "rule", surface: "read", pattern: "*", origin: "global" }],
    ]);
  });

  it("puts the strictest of several outside paths, with a grant for each that asks", () => {
    const global = rules({ bash: "allow", external_directory: { "/opt/*": "allow" } });
    const { requests } = judged({ global }, bash("cat /opt/x /etc/a /var/b"));
    const [outside] = requests;
    expect(outside?.gate.facts.boundaryValue).toBe("/etc/a");
    expect(suggested(outside)).toEqual([
      { surface: "external_directory_read", pattern: "/etc/*" },
      { surface: "external_directory_read", pattern: "/var/*" },
    ]);
  });

  it("is allowed the next time by the grants it suggested", () => {
    const sources = { global: rules({ bash: "ask" }) };
    const first = judged(sources, bash("cat /etc/a /var/b"));
    const grants = first.requests
      .flatMap(suggested)
      .map(({ surface, pattern }) => aGrant(surface, pattern));
    expect(first.state).toBe("ask");
    expect(judged(sources, bash("cat /etc/a /var/b"), { grants }).state).toBe("allow");
  });

  it("reads the host's own files without asking, unless a rule denies it", () => {
    const gates = { infrastructureReadPaths: ["/opt/host"] };
    const call = { toolName: "read", input: { path: "/opt/host/a" } };
    const open = judged({ global: rules({ read: "allow", external_directory: "ask" }) }, call, {
      gates,
    });
    expect(open.state).toBe("allow");
    expect(open.requests[0]?.decidedBy).toEqual({ kind: "infrastructure_read" });
    const shut = judged({ global: rules({ read: "allow", external_directory: "deny" }) }, call, {
      gates,
    });
    expect(shut.state).toBe("deny");
  });

  it("still asks when it reads a host's file and another outside one", () => {
    const gates = { infrastructureReadPaths: ["/opt/host"] };
    const call = { toolName: "read", input: { paths: ["/opt/host/a", "/etc/b"] } };
    const { state, requests } = judged({ global: rules({ read: "allow" }) }, call, { gates });
    expect(state).toBe("ask");
    const outside = requests.filter(({ gate }) => gate.facts.surface !== "read");
    expect(outside.map((request) => request.state)).toEqual(["allow", "ask"]);
  });

  it("asks for each path that a rule asks about, so that no approval covers one unseen", () => {
    const sources = {
      global: rules({ bash: "allow", path: { "conf/*": "ask", "keys/*": "ask" } }),
    };
    const { requests } = judged(sources, bash("cat conf/a keys/b src/c"));
    expect(requests.map(({ gate, state }) => [gate.facts.matchValues[1], state])).toEqual([
      ["conf/a", "ask"],
      ["keys/b", "ask"],
      [undefined, "allow"],
    ]);
  });

  it("tells the unit that decided", () => {
    const { requests } = judged({ global: rules({ bash: "ask" }) }, bash("FOO=1 make lint"));
    expect(requests[0]?.gate.facts.matchValues).toEqual(["make lint"]);
    expect(
      requests[0]?.gate.payload(requests[0].verdict, {
        agentName: null,
        forwarded: false,
        sessionId: null,
      }).evidence,
    ).toEqual([{ label: "full command", text: "FOO=1 make lint", detail: null }]);
  });

  it("asks again for a skill that a person's input loads, whatever was granted", () => {
    const grants = [aGrant("skill", "notes")];
    const sources = { global: rules({ skill: "ask" }) };
    expect(judged(sources, { toolName: null, skill: "notes" }, { grants }).state).toBe("ask");
    const called = { toolName: "skill", input: { skill: "notes" } };
    expect(judged(sources, called, { grants }).state).toBe("allow");
  });

  it("suggests nothing for what a floor would ask about again", () => {
    const { requests } = judged({ global: rules({ bash: "allow" }) }, bash("sudo ls"));
    expect(requests.map(suggested)).toEqual([[]]);
  });

  it("raises a path request for a rule of its own, and for what a grant or yolo made of it, only", () => {
    const kinds = (sources: PolicySources, grants: readonly Grant[] = []) =>
      judged(sources, { toolName: "read", input: { path: "a" } }, { grants }).requests.map(
        ({ gate, state }) => `${gate.facts.surface} ${state}`,
      );
    const read = { read: "allow" };
    expect(kinds({ global: rules(read) })).toEqual(["read allow"]);
    expect(kinds({ global: rules({ ...read, "*": "ask" }) })).toEqual(["read allow"]);
    expect(kinds({ global: rules({ ...read, path: "allow" }) })).toEqual(["read allow"]);
    expect(kinds({ global: rules(read), yolo: true })).toEqual(["read allow"]);
    const asking = { global: rules({ ...read, path: "ask" }) };
    expect(kinds(asking)).toEqual(["path_read ask", "read allow"]);
    expect(kinds({ ...asking, yolo: true })).toEqual(["path_read allow", "read allow"]);
    expect(kinds(asking, [aGrant("path_read", "/srv/tree-9/*")])).toEqual([
      "path_read allow",
      "read allow",
    ]);
  });
});

import { describe, expect, it } from "vitest";
import { deciderOf } from "../../../src/policy/decider.ts";
import type { PermissionScope } from "../../../src/policy/sources.ts";
import { aGrant, aPolicy, commandFacts, factsOn, globally, rules } from "../../support/rules.ts";

const asked = { agent: null, grants: [] };

describe("the order of rules", () => {
  it("a rule for a surface pattern stands where the file has it", () => {
    const policy = globally({ "web_*": { "*": "deny" }, web_fetch: "allow" });
    expect(policy.judge({ facts: factsOn("web_fetch", "web_fetch"), ...asked }).state).toBe(
      "allow",
    );
    expect(policy.judge({ facts: factsOn("web_push", "web_push"), ...asked }).state).toBe("deny");
  });

  it("the highest scope's universal default holds where no rule matches", () => {
    const policy = aPolicy({ global: rules({ "*": "allow" }), project: rules({ "*": "deny" }) });
    expect(policy.judge({ facts: factsOn("crm", "crm"), ...asked })).toEqual({
      state: "deny",
      surface: "crm",
      matchedPattern: null,
      origin: "project",
      reason: null,
    });
  });

  it("a map of patterns under the star is no universal default", () => {
    const policy = globally({ "*": { "rm *": "deny" } });
    expect(policy.judge({ facts: factsOn("bash", "rm x"), ...asked }).state).toBe("deny");
    expect(policy.judge({ facts: factsOn("bash", "ls"), ...asked }).origin).toBe("builtin");
  });

  it("ten thousand rules still find the last that matches", () => {
    const names = Array.from({ length: 10_000 }, (_, i) => `cmd${i} *`);
    const many = Object.fromEntries(names.map((name) => [name, "deny"]));
    const policy = globally({ bash: { ...many, "cmd7*": "ask", "cmd7 x": "allow" } });
    expect(policy.judge({ facts: factsOn("bash", "cmd7 x"), ...asked }).state).toBe("allow");
    expect(policy.judge({ facts: factsOn("bash", "cmd7 y"), ...asked }).state).toBe("ask");
  });

  it("names of built-in properties are names like any other", () => {
    const named = JSON.parse(
      '{"__proto__": "deny", "constructor": {"toString": "allow"}}',
    ) as object;
    const policy = aPolicy({
      global: rules(named),
      agents: new Map([["__proto__", rules({ bash: "deny" })]]),
    });
    const of = (surface: string, value: string) =>
      policy.judge({ facts: factsOn(surface, value), ...asked }).state;
    expect(of("__proto__", "x")).toBe("deny");
    expect(of("constructor", "toString")).toBe("allow");
    const agent = { name: "__proto__", attested: true };
    expect(policy.judge({ facts: factsOn("bash", "ls"), agent, grants: [] }).state).toBe("deny");
    const other = { name: "constructor", attested: true };
    expect(policy.judge({ facts: factsOn("bash", "ls"), agent: other, grants: [] }).state).toBe(
      "ask",
    );
  });
});

describe("paths", () => {
  it("a rule in the home folder meets the expanded path", () => {
    const policy = globally({ path: { "~/keys/*": "deny", "$HOME/open/*": "allow" } });
    const at = (path: string) =>
      policy.judge({ facts: factsOn("path_read", path), ...asked }).state;
    expect(at("/home/ann/keys/a")).toBe("deny");
    expect(at("/home/ann/open/a")).toBe("allow");
    expect(at("~/keys/a")).toBe("ask");
  });

  it("Windows folds case and separators on path surfaces and file tools only", () => {
    const policy = aPolicy(
      {
        global: rules({
          path: { "C:\\Keys\\*": "deny" },
          read: { "*.KEY": "deny" },
          bash: { "DEL *": "deny" },
        }),
      },
      { platform: "win32", home: "C:\\Users\\ann" },
    );
    const at = (surface: string, value: string) =>
      policy.judge({ facts: factsOn(surface, value), ...asked }).state;
    expect(at("path_write", "c:/keys/a")).toBe("deny");
    expect(at("read", "c:\\x\\a.key")).toBe("deny");
    expect(at("bash", "del a")).toBe("ask");
  });
});

describe("grants", () => {
  const ask = { global: rules({ "*": "ask" }) };

  it("a proven grant covers its direction and one of the family both", () => {
    const judge = (surface: string, width: "proven" | "family") =>
      aPolicy(ask).judge({
        facts: factsOn(surface, "/opt/kit/a"),
        agent: null,
        grants: [aGrant("path_read", "/opt/kit/*", { width })],
      }).state;
    expect(judge("path_read", "proven")).toBe("allow");
    expect(judge("path_write", "proven")).toBe("ask");
    expect(judge("path_write", "family")).toBe("allow");
    expect(judge("external_directory_read", "family")).toBe("ask");
  });

  it("a grant's surface is taken literally, whatever it looks like", () => {
    const grants = [aGrant("*", "*"), aGrant("ba?h", "*")];
    const facts = factsOn("bash", "ls");
    expect(aPolicy(ask).judge({ facts, agent: null, grants }).state).toBe("ask");
  });

  it("a grant that meets an MCP call only by its ambiguous name is passed over", () => {
    const facts = factsOn("mcp", "vault:purge", "vault_purge", "vault");
    const judge = (pattern: string) =>
      aPolicy(ask).judge({ facts, agent: null, grants: [aGrant("mcp", pattern)] }).state;
    expect(judge("vault_*")).toBe("ask");
    expect(judge("vault:*")).toBe("allow");
  });

  it("a grant is named as the one who decided", () => {
    const grants = [aGrant("bash", "ls *", { grantId: "grant-7" })];
    const verdict = aPolicy(ask).judge({ facts: commandFacts("ls -l"), agent: null, grants });
    expect(deciderOf(verdict)).toEqual({
      kind: "session_approval",
      surface: "bash",
      pattern: "ls *",
      grantId: "grant-7",
    });
  });

  it("a grant does not lift a floor", () => {
    const facts = commandFacts("sudo ls", { floor: "<indirection-bash-wrapper>" });
    const verdict = aPolicy(ask).judge({ facts, agent: null, grants: [aGrant("bash", "sudo *")] });
    expect(verdict).toMatchObject({ state: "ask", matchedPattern: "<indirection-bash-wrapper>" });
    expect(verdict).not.toHaveProperty("grantId");
  });
});

describe("MCP names", () => {
  it("a server whose name holds a colon keeps its own names clear", () => {
    const policy = globally({ mcp: { "a:b:c": "allow" } });
    const facts = factsOn("mcp", "a:b:c", "a:b_c", "a:b");
    expect(policy.judge({ facts, ...asked }).state).toBe("allow");
  });

  const ofTool = factsOn("mcp", "a:b:c", "a_b:c", "a");
  const ofServer = factsOn("mcp", "a:b:c", "a:b_c", "a:b");
  const unsaid = factsOn("mcp", "a:b:c");

  it.each([
    ["a:*", ofTool, "allow"],
    ["a:*", ofServer, "ask"],
    ["a:b:*", ofTool, "ask"],
    ["a:b:*", ofServer, "allow"],
    ["a:b:c", ofTool, "ask"],
    ["a:b:c", ofServer, "allow"],
    ["a:b", ofServer, "ask"],
    ["a:b", factsOn("mcp", "a:b", "a_b", "a"), "allow"],
    ["*:c", ofServer, "allow"],
    ["*:b:c", ofTool, "ask"],
    ["a", ofTool, "allow"],
    ["*", ofServer, "allow"],
    ["a:b:c", unsaid, "ask"],
    ["*", unsaid, "allow"],
  ])("an allow for %j of a call known as %j gives %s", (pattern, facts, state) => {
    expect(globally({ mcp: { [pattern]: "allow" } }).judge({ facts, ...asked }).state).toBe(state);
    const grants = [aGrant("mcp", pattern)];
    expect(aPolicy({}).judge({ facts, agent: null, grants }).state).toBe(state);
  });

  it.each(["a:*", "a:b:*", "a:b:c", "a:b*"])("a deny for %j holds for both readings", (pattern) => {
    const policy = globally({ mcp: { "*": "allow", [pattern]: "deny" } });
    for (const facts of [ofTool, ofServer, unsaid]) {
      expect(policy.judge({ facts, ...asked }).state).toBe("deny");
    }
  });

  it("an allow that means another server leaves the rule before it in force", () => {
    const policy = globally({ mcp: { "a:*": "deny", "a:b:*": "allow" } });
    expect(policy.judge({ facts: ofTool, ...asked }).state).toBe("deny");
    expect(policy.judge({ facts: ofServer, ...asked }).state).toBe("allow");
  });

  it("a denied ambiguous name stays denied though a later rule allows it by that name", () => {
    const policy = globally({ mcp: { "*": "allow", vault_purge: "deny", "vault_*": "allow" } });
    const facts = factsOn("mcp", "vault:purge", "vault_purge", "vault");
    expect(policy.judge({ facts, ...asked })).toMatchObject({
      state: "deny",
      matchedPattern: "vault_purge",
    });
  });

  it("introspection is not allowed by a universal default or by a rule that allows other surfaces", () => {
    const policy = globally({ "*": "ask", bash: "allow" });
    expect(policy.judge({ facts: factsOn("mcp", "mcp_list"), ...asked }).state).toBe("ask");
  });
});

describe("incomplete facts", () => {
  it.each([{ yolo: false }, { yolo: true }])(
    "no name at all is never allowed ($yolo)",
    ({ yolo }) => {
      const policy = aPolicy({ global: rules({ read: "allow" }), yolo });
      expect(policy.judge({ facts: factsOn("read"), ...asked })).toMatchObject({
        state: "ask",
        matchedPattern: "<incomplete-facts>",
      });
    },
  );

  it("a catch-all deny holds without any name", () => {
    expect(globally({ read: "deny" }).judge({ facts: factsOn("read"), ...asked }).state).toBe(
      "deny",
    );
  });

  it("more names than an honest gate gives are never allowed", () => {
    const names = Array.from({ length: 65 }, (_, i) => `name-${i}`);
    const verdict = globally({ crm: "allow" }).judge({ facts: factsOn("crm", ...names), ...asked });
    expect(verdict.state).toBe("ask");
  });
});

describe("other readings of a command", () => {
  const policy = globally({
    bash: { "*": "ask", "/bin/ls *": "allow", "rm *": "deny", "echo *": "allow" },
  });
  const judge = (command: string, floor: string | null = null) =>
    policy.judge({ facts: commandFacts(command, { floor }), ...asked });

  it("a denied part of a chain denies the whole, which is named as written", () => {
    const verdict = judge("echo hi && rm important.txt", "<unparsed-bash-subtree>");
    expect(verdict).toMatchObject({
      state: "deny",
      matchedPattern: "rm *",
      unit: { value: "echo hi && rm important.txt", context: null },
    });
  });

  it("a catch-all does not undo what a precise rule says of the text as written", () => {
    expect(judge("/bin/ls -l").state).toBe("allow");
  });

  it("an allow that only another reading meets has no effect", () => {
    expect(judge("/tmp/echo x").state).toBe("ask");
  });
});

describe("a rule for a command in the home folder", () => {
  const policy = globally({ bash: { "*": "allow", "~/bin/nuke *": "deny" } });

  it.each([
    "/home/ann/bin/nuke x",
    "~/bin/nuke x",
    "$HOME/bin/nuke x",
    "sudo ~/bin/nuke x",
    "sudo /home/ann/bin/nuke x",
    "'/home/ann/bin/nuke' x",
  ])("denies %j", (command) => {
    expect(policy.judge({ facts: commandFacts(command), ...asked }).state).toBe("deny");
  });

  it("allows nothing that was not written as it expands", () => {
    const allowing = globally({ bash: { "*": "ask", "~/bin/fix *": "allow" } });
    const judge = (command: string) => allowing.judge({ facts: commandFacts(command), ...asked });
    expect(judge("/home/ann/bin/fix x").state).toBe("allow");
    expect(judge("~/bin/fix x").state).toBe("ask");
  });
});

describe("overlays", () => {
  const cases: [PermissionScope, string][] = [
    ["global", "allow"],
    ["project", "ask"],
    ["agent", "ask"],
    ["project-agent", "ask"],
  ];
  it.each(cases)("an invalid %s scope leaves an allow of another as %s", (scope, state) => {
    const sources = { global: rules({ bash: "allow" }), project: rules({ bash: "allow" }) };
    const policy = aPolicy({ ...sources, invalid: [scope] });
    expect(policy.judge({ facts: factsOn("bash", "ls"), ...asked }).state).toBe(state);
  });

  it("yolo allows what fail-closed made an ask, and says so", () => {
    const policy = aPolicy({ global: rules({ bash: "allow" }), invalid: ["project"], yolo: true });
    const verdict = policy.judge({ facts: factsOn("bash", "ls"), ...asked });
    expect(deciderOf(verdict)).toEqual({ kind: "yolo", pattern: "*" });
  });

  it("an invalid scope's own rules do not hold", () => {
    const policy = aPolicy({ project: rules({ bash: "deny" }), invalid: ["project"] });
    expect(policy.judge({ facts: factsOn("bash", "ls"), ...asked }).state).toBe("ask");
  });
});

import { describe, expect, it } from "vitest";
import type { ToolCall } from "../../../src/ask/tool-call.ts";
import type { RuleVerdict } from "../../../src/ask/verdict.ts";
import type { GateContext } from "../../../src/gates/context.ts";
import { describeToolCall } from "../../../src/gates/describe-tool-call.ts";

const CWD = "/srv/tree-9";

function described(
  call: Partial<ToolCall>,
  context: Partial<GateContext> & { readonly links?: Readonly<Record<string, string>> } = {},
) {
  const { links = {}, ...rest } = context;
  const known = new Map(Object.entries(links));
  return describeToolCall(
    { toolName: "read", input: {}, cwd: CWD, ...call },
    {
      home: "/home/ann",
      platform: "linux",
      realpath: (absolute) => known.get(absolute) ?? absolute,
      ...rest,
    },
  );
}

const ask: RuleVerdict = {
  state: "ask",
  surface: "bash",
  matchedPattern: null,
  origin: "builtin",
  reason: null,
};

const REQUESTER = { agentName: "mason", forwarded: false, sessionId: null, host: "box" };

const kindsOf = (requests: ReturnType<typeof describeToolCall>) =>
  requests.map((request) => request.payload(ask, REQUESTER).kind);

describe("the requests of a call", () => {
  it("come in the order of the gates, each under its own id", () => {
    const requests = described(
      { input: { path: "/opt/skills/notes/a.md" } },
      { skills: [{ name: "notes", root: "/opt/skills/notes" }] },
    );
    expect(kindsOf(requests)).toEqual(["skill_read", "path", "external_directory", "tool"]);
    expect(new Set(requests.map((request) => request.requestId)).size).toBe(4);
    expect(requests.map((request) => request.source)).toEqual([
      "skill_read",
      "tool_call",
      "tool_call",
      "tool_call",
    ]);
  });

  it("of a shell ask for all outside paths at once, then for each path", () => {
    const requests = described({ toolName: "bash", input: { command: "cat /etc/a /etc/b src/c" } });
    expect(kindsOf(requests)).toEqual(["bash_external_directory", "path", "path", "path", "bash"]);
    expect(requests.map((request) => request.alternatives.length)).toEqual([1, 0, 0, 0, 0]);
    expect(requests[0]?.alternatives[0]?.requestId).toBe(requests[0]?.requestId);
    expect(requests[0]?.payload(ask, REQUESTER).evidence).toEqual([
      { label: "working directory", text: CWD, detail: null },
      { label: "external path", text: "/etc/a", detail: null },
      { label: "external path", text: "/etc/b", detail: null },
    ]);
  });

  it("all tell every path token of the call", () => {
    const requests = described({ toolName: "write", input: { file_path: "/etc/motd" } });
    const paths = [
      { surface: "path_write", matchValues: ["/etc/motd"], boundaryValue: "/etc/motd" },
      {
        surface: "external_directory_write",
        matchValues: ["/etc/motd"],
        boundaryValue: "/etc/motd",
      },
    ];
    expect(requests.map((request) => request.facts.paths)).toEqual([paths, paths, paths]);
  });

  it("say nothing about paths where nothing is known about them", () => {
    const [request] = described({ toolName: "crm_export", input: { path: "/etc/motd" } });
    expect(request?.facts).not.toHaveProperty("paths");
  });

  it("carry the requester as it is given and a complete input", () => {
    const [request] = described({ toolName: "crm_export", input: { note: "x".repeat(5000) } });
    const payload = request?.payload(ask, REQUESTER);
    expect(payload?.request.requester).toEqual(REQUESTER);
    expect(payload?.evidence[0]?.text).toContain("x".repeat(5000));
  });
});

describe("a path", () => {
  const aliasesOf = (typed: string, links: Readonly<Record<string, string>> = {}) =>
    described({ input: { path: typed } }, { links }).find(
      (request) => request.facts.surface === "path_read",
    )?.facts.matchValues;

  it.each([
    ["src/a", ["/srv/tree-9/src/a", "src/a"]],
    ["./src//../b", ["/srv/tree-9/b", "b"]],
    [".", ["/srv/tree-9", "."]],
    ["../tree-99/a", ["/srv/tree-99/a"]],
    ["~/x", ["/home/ann/x"]],
    ["$HOME/x", ["/home/ann/x"]],
    ["~bob/x", ["/home/bob/x"]],
    ["~$draft.docx", ["/srv/tree-9/~$draft.docx", "~$draft.docx"]],
  ])("typed %j is known as %j", (typed, aliases) => {
    expect(aliasesOf(typed)).toEqual(aliases);
  });

  it("is also known by where its link leads inside the folder", () => {
    const links = { "/srv/tree-9/link": "/srv/tree-9/secrets/key" };
    expect(aliasesOf("link", links)).toEqual([
      "/srv/tree-9/link",
      "link",
      "/srv/tree-9/secrets/key",
      "secrets/key",
    ]);
  });

  it("is outside when the system would climb out of a link, though its text stays inside", () => {
    const requests = described(
      { input: { path: "link/../shadow" } },
      { links: { "/srv/tree-9/link": "/etc/ssl" } },
    );
    const outside = requests.find((request) => request.facts.surface === "external_directory_read");
    expect(outside?.facts.boundaryValue).toBe("/etc/shadow");
  });

  it("is inside a working directory that is itself a link", () => {
    const links = { [CWD]: "/data/tree", "/srv/tree-9/a": "/data/tree/a" };
    expect(kindsOf(described({ input: { path: "a" } }, { links }))).toEqual(["path", "tool"]);
    expect(aliasesOf("a", links)).toEqual(["/srv/tree-9/a", "a", "/data/tree/a"]);
  });

  it("on Windows is told apart without regard to case", () => {
    const requests = described(
      { cwd: "C:\\work", input: { path: "c:/WORK/src/a" } },
      { platform: "win32", home: "C:\\Users\\ann" },
    );
    expect(kindsOf(requests)).toEqual(["path", "tool"]);
    expect(requests[0]?.facts.matchValues).toContain("src\\a");
  });

  it.each(["file_path", "filePath", "notebook_path"])("is read from the field %s", (field) => {
    const requests = described({ toolName: "edit", input: { [field]: "/etc/x" } });
    expect(requests.map((request) => request.facts.surface)).toEqual([
      "path_write",
      "external_directory_write",
      "edit",
    ]);
  });

  it("is a request of its own for each that one call names, once for each way to spell it", () => {
    const requests = described({ toolName: "edit", input: { paths: ["a", "/etc/b", "./x/../a"] } });
    expect(requests.map((request) => [request.facts.surface, request.facts.boundaryValue])).toEqual(
      [
        ["path_write", "/srv/tree-9/a"],
        ["path_write", "/etc/b"],
        ["external_directory_write", "/etc/b"],
        ["edit", "/srv/tree-9/a"],
        ["edit", "/etc/b"],
      ],
    );
  });

  it("is the working directory for a search that names none", () => {
    expect(described({ toolName: "grep", input: { pattern: "x" } })[0]?.facts.matchValues).toEqual([
      CWD,
      ".",
    ]);
  });

  it("of an unknown or MCP tool is found where the configuration says", () => {
    const toolPaths = new Map([
      ["crm_export", ["target"]],
      ["vault:dump", ["out"]],
    ]);
    const crm = described({ toolName: "crm_export", input: { target: "/etc/x" } }, { toolPaths });
    const mcp = { server: "vault", tool: "dump" };
    const vault = described({ toolName: "mcp", mcp, input: { out: "/etc/x" } }, { toolPaths });
    const surfaces = (requests: typeof crm) => requests.map((request) => request.facts.surface);
    expect(surfaces(crm)).toEqual(["path", "external_directory", "crm_export"]);
    expect(surfaces(vault)).toEqual(["path", "external_directory", "mcp"]);
  });
});

describe("a call that does not say what it does", () => {
  it.each([
    ["a read without a path", { toolName: "read", input: { target: "/etc/x" } }],
    ["a shell without a command", { toolName: "bash", input: { command: ["rm", "x"] } }],
    ["a proxied MCP call without a server", { toolName: "mcp", input: { tool: "purge" } }],
    ["a skill without a name", { toolName: null }],
  ])("%s has no match value, so that nothing allows it", (_, call) => {
    expect(described(call).map((request) => request.facts.matchValues)).toEqual([[]]);
  });
});

describe("the names of a call", () => {
  it.each([
    [
      "web_fetch",
      { url: "https://Docs.example.com:8443/a" },
      ["https://Docs.example.com:8443/a", "domain:docs.example.com", "web_fetch"],
    ],
    ["web_fetch", { url: "no url" }, ["no url", "web_fetch"]],
    [
      "network",
      { host: "example.com", protocol: "https" },
      ["https://example.com", "example.com", "network"],
    ],
    ["agent", { subagent_type: "mason", prompt: "x" }, ["mason", "agent"]],
    ["constructor", {}, ["constructor"]],
    ["mcp", { tool: "find", server: "atlas" }, ["atlas:find", "atlas_find", "atlas"]],
    ["mcp", { search: "x" }, ["mcp_search"]],
    ["mcp", { server: "atlas" }, ["mcp_list"]],
    ["mcp", {}, ["mcp_status"]],
    ["skill", { skill: "notes" }, ["notes"]],
  ])("%s with %j are %j", (toolName, input, names) => {
    expect(described({ toolName, input })[0]?.facts.matchValues).toEqual(names);
  });
});

describe("the grant that an MCP call offers", () => {
  it.each([
    ["atlas", "find", "atlas:*"],
    ["plugin:a:atlas", "find", "plugin:a:atlas:*"],
    ["atlas", "b:find", "atlas:*"],
  ])("is for the server %j of the tool %j", (server, tool, pattern) => {
    const [request] = described({ toolName: "mcp", input: {}, mcp: { server, tool } });
    expect(request?.suggestion(ask)?.grants).toEqual([{ surface: "mcp", pattern }]);
  });
});

describe("a shell by another name", () => {
  it("is judged as the shell and says which name was called", () => {
    const requests = described(
      { toolName: "terminal", input: { command: "sudo rm x" } },
      { shellTools: new Map([["terminal", { commandArgument: "command" }]]) },
    );
    const request = requests.at(-1);
    expect(request?.facts).toMatchObject({ surface: "bash", matchValues: ["sudo rm x"] });
    expect(request?.display).toEqual({ surface: "bash", value: "sudo rm x" });
    const verdict = { ...ask, unit: { value: "sudo rm x", context: null } };
    expect(request?.payload(verdict, REQUESTER).request).toMatchObject({
      toolName: "bash",
      invokedToolName: "terminal",
      executedUnit: "rm x",
    });
  });
});

describe("a shell whose input has fields of its own", () => {
  const shellTools = new Map([
    ["exec_command", { commandArgument: "cmd", workdirArgument: "workdir" }],
  ]);
  const run = (input: Readonly<Record<string, unknown>>) =>
    described({ toolName: "exec_command", input }, { shellTools });

  it("is judged by the command of the field that is configured", () => {
    expect(run({ cmd: "git status" }).at(-1)?.facts).toMatchObject({
      surface: "bash",
      matchValues: ["git status"],
    });
  });

  it("has its paths read from the folder it runs in, which is a path of it too", () => {
    const requests = run({ cmd: "cat ./passwd", workdir: "/etc" });
    expect(kindsOf(requests)[0]).toBe("bash_external_directory");
    expect(requests[0]?.facts.boundaryValue).toBe("/etc");
    expect(requests[0]?.alternatives[0]?.facts.boundaryValue).toBe("/etc/passwd");
    expect(run({ cmd: "cat ./a", workdir: "sub" }).map(({ facts }) => facts.matchValues)).toEqual([
      [`${CWD}/sub`, "sub"],
      [`${CWD}/sub/a`, "sub/a"],
      ["cat ./a"],
    ]);
  });

  it.each([[{}], [{ command: "ls" }], [{ cmd: ["ls"] }], [{ cmd: "ls", workdir: 7 }]])(
    "without a command it can be held to, %j is allowed by no rule and shows its input",
    (input) => {
      const [request] = run(input).slice(-1);
      expect(request?.facts).toMatchObject({ surface: "bash", matchValues: [], units: [] });
      const payload = request?.payload(ask, REQUESTER);
      expect(payload?.request.value).toBe("exec_command");
      expect(payload?.evidence).toEqual([
        { label: "input", text: JSON.stringify(input, null, 2), detail: null },
      ]);
    },
  );
});

describe("the paths of a tool that no rule of configuration names", () => {
  it("are those that the program's own extractor finds, beside the configured fields", () => {
    const requests = described(
      { toolName: "image_edit", input: { target: "a.png", source: "/opt/b.png" } },
      {
        toolPaths: new Map([["image_edit", ["target"]]]),
        extractPaths: ({ input }) => [{ path: String(input["source"]), direction: "read" }],
      },
    );
    expect(requests[0]?.facts.paths?.map(({ surface }) => surface)).toEqual([
      "path",
      "path_read",
      "external_directory_read",
    ]);
  });

  it("are unknown where the extractor answers null", () => {
    const [request] = described({ toolName: "image_edit" }, { extractPaths: () => null });
    expect(request?.facts.paths).toBeUndefined();
  });

  it.each([
    ["no list", "a.png"],
    ["a number", [7]],
    ["an empty path", [{ path: "" }]],
  ])("refuse the call when the extractor answers %s", (_name, answer) => {
    const extractPaths = () => answer as never;
    expect(() => described({ toolName: "image_edit" }, { extractPaths })).toThrow(TypeError);
  });
});

describe("the host's own files", () => {
  const context = { infrastructureReadPaths: ["/opt/host/docs"] };
  const settled = (call: Partial<ToolCall>) =>
    described(call, context).map((request) => request.infrastructureRead);

  it("may be read past the outside gate, not written", () => {
    expect(settled({ input: { path: "/opt/host/docs/a.md" } })).toEqual([false, true, false]);
    expect(settled({ toolName: "write", input: { path: "/opt/host/docs/a.md" } })).toEqual([
      false,
      false,
      false,
    ]);
    expect(settled({ input: { path: "/opt/host/docs/../keys" } })).toEqual([false, false, false]);
  });
});

describe("the skill that a file belongs to", () => {
  const skills = [
    { name: "outer", root: "/srv/tree-9/skills" },
    { name: "inner", root: "/srv/tree-9/skills/inner" },
  ];
  const skillOf = (path: string, links = {}) =>
    described({ input: { path } }, { skills, links })
      .filter((request) => request.facts.surface === "skill")
      .map((request) => request.facts.matchValues);

  it("is the innermost one, also behind a link, and none for a sibling", () => {
    expect(skillOf("skills/inner/a.md")).toEqual([["inner"]]);
    expect(skillOf("skills/other.md")).toEqual([["outer"]]);
    expect(skillOf("link", { "/srv/tree-9/link": "/srv/tree-9/skills/inner/a.md" })).toEqual([
      ["inner"],
    ]);
    expect(skillOf("skills-old/a.md")).toEqual([]);
  });

  it("is suggested exactly, and never for a skill that a person's input loads", () => {
    const [read] = described({ input: { path: "skills/inner/a.md" } }, { skills });
    expect(read?.suggestion(ask)).toEqual({ grants: [{ surface: "skill", pattern: "inner" }] });
    const [input] = described({ toolName: null, skill: "inner" });
    expect(input?.grantable).toBe(false);
    expect(input?.suggestion(ask)).toBeNull();
  });
});

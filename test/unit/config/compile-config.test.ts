import { describe, expect, test } from "vitest";
import { compileConfig, toPolicySources } from "../../../src/config/compile-config.ts";
import { DEFAULT_OPTIONS } from "../../../src/config/options.ts";

function userText(text: string) {
  return compileConfig({ user: { text } });
}

describe("sources of configuration", () => {
  test("options and their maps stay the defaults when nothing is configured", () => {
    const compiled = compileConfig({});
    expect(compiled.options).toEqual(DEFAULT_OPTIONS);
    expect(new Set(Object.values(compiled.origins))).toEqual(new Set(["default"]));
  });

  test("each option tells what gave it its value", () => {
    const { origins } = compileConfig({
      flags: { fleet: "a" },
      env: { ASKFABRIC_LINK_TIMEOUT_MS: "50" },
      project: { trusted: true, value: { promptMaxRows: 5 } },
      user: { value: { yoloMode: true, fleet: "b" } },
    });
    expect(origins).toMatchObject({
      fleet: "flags",
      linkTimeoutMs: "env",
      promptMaxRows: "project",
      yoloMode: "user",
      auditMode: "default",
    });
  });

  test("variables are read by their kind", () => {
    const { ok, options } = compileConfig({
      env: {
        ASKFABRIC_YOLO_MODE: "true",
        ASKFABRIC_PARENTS: "boss-1, boss-2",
        ASKFABRIC_REQUIRE_SIGNERS: '["a,b"]',
        ASKFABRIC_FLEET: "blue",
        ASKFABRIC_PROMPT_MAX_ROWS: "",
        HOME: "/home/op",
      },
    });
    expect(ok).toBe(true);
    expect(options).toMatchObject({
      yoloMode: true,
      parents: ["boss-1", "boss-2"],
      requireSigners: ["a,b"],
      fleet: "blue",
      promptMaxRows: 24,
    });
  });

  test.each(["-5", "0x10", "1e3", "12.5", " 12", "99999999999999999999"])(
    "the variable text %j is no number",
    (text) => {
      const { ok, issues } = compileConfig({ env: { ASKFABRIC_PROMPT_MAX_ROWS: text } });
      expect(ok).toBe(false);
      expect(issues).toEqual([
        {
          source: "env",
          path: "promptMaxRows",
          message: `promptMaxRows is ${JSON.stringify(text)}; it must be a whole number of rows from 1 to 10,000`,
          rejects: true,
        },
      ]);
    },
  );

  test("a misspelt variable is told and rejects nothing", () => {
    const { ok, issues } = compileConfig({ env: { ASKFABRIC_YOLOMODE: "true" } });
    expect(ok).toBe(true);
    expect(issues[0]?.message).toBe(
      "ASKFABRIC_YOLOMODE is no option; did you mean ASKFABRIC_YOLO_MODE?",
    );
  });

  test("an untrusted project file is neither applied nor reported", () => {
    const compiled = compileConfig({ project: { trusted: false, text: '{"nonsense":' } });
    expect(compiled).toMatchObject({ ok: true, issues: [], scopes: {} });
  });
});

describe("faults of a file", () => {
  test("every fault is reported with its place, and the file says nothing", () => {
    const { ok, options, issues } = userText(
      '{\n  "promptMaxRows": 0,\n  "auditMode": "sloppy",\n  "linkTimeoutMs": 50,\n  "promtMaxRows": 1\n}',
    );
    expect(ok).toBe(false);
    expect(options.linkTimeoutMs).toBe(10_000);
    expect(issues).toEqual([
      {
        source: "user",
        path: "promptMaxRows",
        message: "promptMaxRows is 0; it must be a whole number of rows from 1 to 10,000",
        rejects: true,
        at: { line: 2, column: 20 },
      },
      {
        source: "user",
        path: "auditMode",
        message: 'auditMode is "sloppy"; it must be one of strict, spool, best-effort',
        rejects: true,
        at: { line: 3, column: 16 },
      },
      {
        source: "user",
        path: "promtMaxRows",
        message: "promtMaxRows is 1; it is no option, did you mean promptMaxRows?",
        rejects: true,
        at: { line: 5, column: 19 },
      },
    ]);
  });

  test("a text that is not JSON is refused with line and column", () => {
    const { issues } = userText('{\n  "fleet": "a",\n}');
    expect(issues[0]).toMatchObject({ path: "", at: { line: 3, column: 1 } });
    expect(userText("").issues).toHaveLength(1);
    expect(userText("[]").issues).toHaveLength(1);
    expect(userText("null").ok).toBe(false);
  });

  test("comments and a byte order mark are read over", () => {
    const { ok, options } = userText('\uFEFF// mine\n{ /* name */ "fleet": "blue" }');
    expect(ok).toBe(true);
    expect(options.fleet).toBe("blue");
  });

  test("a key that stands twice rejects the file, at any depth", () => {
    expect(userText('{"fleet":"a","fleet":"a"}').issues[0]?.path).toBe("fleet");
    const { issues } = userText('{"permission":{"bash":{"rm *":"deny","rm *":"allow"}}}');
    expect(issues[0]).toMatchObject({ path: 'permission.bash["rm *"]', rejects: true });
  });

  test("a lone surrogate rejects the file", () => {
    expect(userText('{"fleet":"\\ud800"}').issues[0]?.path).toBe("fleet");
    expect(userText('{"permission":{"\\udc00":"deny"}}').ok).toBe(false);
  });

  test("a name that objects inherit is no option", () => {
    for (const key of ["__proto__", "constructor", "toString", "hasOwnProperty"]) {
      const { ok, issues } = userText(`{"${key}":{"yoloMode":true}}`);
      expect(ok).toBe(false);
      expect(issues[0]?.path).toBe(key);
    }
  });

  test("the value under a secret's name is not told", () => {
    const { issues } = userText('{"apiKey":"sk-1234","links":{"a":{"http":"x","token":"sk-9"}}}');
    expect(JSON.stringify(issues)).not.toContain("sk-");
  });

  test("a deep text is refused before anything recurses into it", () => {
    expect(userText("[".repeat(200_000)).issues[0]?.message).toContain("nested");
    let value: unknown = {};
    for (let i = 0; i < 10_000; i += 1) value = { permission: value };
    expect(compileConfig({ user: { value } }).ok).toBe(false);
  });

  test.each([
    ["in a text that its line ends", `["\n${"[".repeat(100_000)}"]`],
    ["behind a comment that a return ends", `[//\r${"[".repeat(100_000)}`],
    ["between brackets that close nothing", '{"a":]'.repeat(100_000)],
  ])("a deep text is refused where a parser finds its depth %s", (_where, text) => {
    expect(userText(text).issues[0]?.message).toContain("nested");
  });

  test("a text of many faults is read in one go, and the first hundred of them are told", () => {
    const rules = Array.from({ length: 40_000 }, (_, i) => `"rule ${String(i)}":1`).join(",");
    const { issues } = userText(`{"permission":{"bash":{${rules}}}}`);
    expect(issues[99]?.path).toBe('permission.bash["rule 99"]');
    expect(issues.slice(100)).toMatchObject([
      { message: "39900 more problems are not told; mend these first", rejects: true },
    ]);
  });

  test("a text that never ends is no JSON, however often it could have ended", () => {
    expect(userText(`"${'\\"'.repeat(400_000)}`).issues[0]?.message).toContain("is not JSON");
  });
});

describe("retired keys", () => {
  test("each has an issue, the two widths share one, and none rejects the file", () => {
    const { ok, issues } = compileConfig({
      user: {
        value: {
          debugLog: { any: "thing" },
          permissionReviewLog: 1,
          doublePressToConfirm: null,
          toolInputPreviewMaxLength: "x",
          toolTextSummaryMaxLength: [],
          fleet: "blue",
        },
      },
    });
    expect(ok).toBe(true);
    expect(issues.map((issue) => issue.path)).toEqual([
      "debugLog",
      "permissionReviewLog",
      "doublePressToConfirm",
      "toolInputPreviewMaxLength",
    ]);
    expect(issues.some((issue) => issue.rejects)).toBe(false);
  });
});

describe("maps of options", () => {
  test("a link is one of module, command and http", () => {
    const { ok, options } = compileConfig({
      user: {
        value: {
          links: {
            judge: { module: "./judge.js", timeoutMs: 500, options: { model: "m" } },
            script: { command: ["judge", "--json"] },
            remote: { http: "https://judge.invalid/ask" },
          },
        },
      },
    });
    expect(ok).toBe(true);
    expect([...options.links.keys()]).toEqual(["judge", "script", "remote"]);
    expect(Object.isFrozen(options.links.get("judge"))).toBe(true);
  });

  test.each([
    ["links.a", { a: {} }],
    ["links.a", { a: "x" }],
    ["links.a", { a: { module: "m", http: "http://x" } }],
    ["links.a.http", { a: { http: "ftp://x" } }],
    ["links.a.command", { a: { command: [] } }],
    ["links.a.timeoutMs", { a: { module: "m", timeoutMs: 0 } }],
    ["links.a.options", { a: { module: "m", options: 1 } }],
    ["links.a.extra", { a: { module: "m", extra: 1 } }],
    ["links", []],
  ])("a faulty link is reported at %s", (path, links) => {
    const { ok, issues } = compileConfig({ user: { value: { links } } });
    expect(ok).toBe(false);
    expect(issues.map((issue) => issue.path)).toEqual([path]);
  });

  test("shell tools are named with their fields, or by name alone", () => {
    const byField = { exec_command: { commandArgument: "cmd", workdirArgument: "workdir" } };
    expect([
      ...compileConfig({ user: { value: { shellTools: byField } } }).options.shellTools,
    ]).toEqual([["exec_command", { commandArgument: "cmd", workdirArgument: "workdir" }]]);
    expect([
      ...compileConfig({ user: { value: { shellTools: ["sh"] } } }).options.shellTools,
    ]).toEqual([["sh", { commandArgument: "command" }]]);
    expect(
      compileConfig({ user: { value: { shellTools: { a: { commandArgument: "" } } } } }).issues[0]
        ?.path,
    ).toBe("shellTools.a.commandArgument");
  });

  test("paths of a shell's tool are named as having no effect, wherever either stands", () => {
    const { ok, issues } = compileConfig({
      project: { trusted: true, value: { shellTools: ["run"] } },
      user: { value: { toolPaths: { edit_image: ["target"], run: ["file"], bash: ["file"] } } },
    });
    expect(ok).toBe(true);
    expect(issues.map(({ source, path, rejects }) => [source, path, rejects])).toEqual([
      ["user", "toolPaths.run", false],
      ["user", "toolPaths.bash", false],
    ]);
    expect(issues[0]?.message).toBe(
      "toolPaths.run has no effect, for the tool is a shell, which is judged by its command; remove it here or from shellTools",
    );
  });
});

describe("rules of a configuration", () => {
  test("patterns keep the order of the text, also when they look like numbers", () => {
    const { scopes } = userText('{"permission":{"bash":{"b *":"ask","2":"deny","1":"allow"}}}');
    const bash = scopes.global?.get("bash") as ReadonlyMap<string, unknown>;
    expect([...bash.keys()]).toEqual(["b *", "2", "1"]);
  });

  test("each scope has its rules", () => {
    const permission = { bash: "deny" };
    const file = { permission, agents: { mason: { permission } } };
    const sources = toPolicySources(
      compileConfig({
        user: { text: JSON.stringify(file) },
        project: { trusted: true, value: { ...file, yoloMode: true } },
      }),
    );
    expect(Object.keys(sources).sort()).toEqual([
      "agents",
      "global",
      "project",
      "projectAgents",
      "yolo",
    ]);
    expect(sources.yolo).toBe(true);
    expect(sources.agents).toEqual(new Map([["mason", new Map([["bash", "deny"]])]]));
  });

  test("a rejected project file makes its scope invalid and gives no rules", () => {
    const { scopes } = compileConfig({
      project: { trusted: true, value: { permission: { bash: { "*": "dney" } } } },
    });
    expect(scopes).toEqual({ invalid: ["project"] });
  });

  test("a user file whose agents cannot be known makes the agent scope invalid too", () => {
    expect(userText("{").scopes.invalid).toEqual(["global", "agent"]);
    expect(userText('{"nonsense":1}').scopes.invalid).toEqual(["global"]);
    expect(userText('{"nonsense":1,"agents":{}}').scopes.invalid).toEqual(["global", "agent"]);
  });

  test("an unknown action is reported at its pattern", () => {
    const { issues } = userText('{\n"permission":{"bash":{"git *":"permit"}}}');
    expect(issues[0]).toMatchObject({
      path: 'permission.bash["git *"]',
      at: { line: 2, column: 31 },
    });
  });
});

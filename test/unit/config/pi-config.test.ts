import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { gateContextOf } from "../../../src/child/gate-context.ts";
import { judgeCall } from "../../../src/child/judge-call.ts";
import { compileConfig, toPolicySources } from "../../../src/config/compile-config.ts";
import { aPolicy } from "../../support/rules.ts";

const FILE = fileURLToPath(new URL("../../data/pi-config.jsonc", import.meta.url));

const compiled = compileConfig({ user: { text: readFileSync(FILE, "utf8") } });

function judged(toolName: string, input: Readonly<Record<string, unknown>>) {
  const { options } = compiled;
  const gates = gateContextOf(
    {
      home: "/home/ann",
      platform: "linux",
      shellTools: options.shellTools,
      infrastructureReadPaths: options.piInfrastructureReadPaths,
    },
    (path) => path,
  );
  const call = { toolName, input, cwd: "/srv/app" };
  const policy = aPolicy(toPolicySources(compiled));
  return judgeCall(call, { policy, gates, grants: [], agent: null }).state;
}

describe("a file of pi-permission-system", () => {
  it("loads as it is, with one notice for each retired key and one for both widths", () => {
    expect(compiled.ok).toBe(true);
    expect(compiled.issues.map(({ path, rejects }) => [path, rejects])).toEqual([
      ["debugLog", false],
      ["permissionReviewLog", false],
      ["doublePressToConfirm", false],
      ["toolInputPreviewMaxLength", false],
    ]);
    expect(compiled.options).toMatchObject({
      forwardingTimeoutMs: 300_000,
      promptMaxRows: 30,
      authorizerChain: ["judge"],
    });
  });

  it.each([
    ["bash", { command: "git status" }, "allow"],
    ["bash", { command: "npm install" }, "deny"],
    ["bash", { command: "make" }, "ask"],
    ["exec_command", { cmd: "git status" }, "allow"],
    ["exec_command", { cmd: "cat ./x", workdir: "/etc" }, "ask"],
    ["read", { path: "src/a.ts" }, "allow"],
    ["read", { path: "config/.env" }, "deny"],
    ["read", { path: "config/.env.example" }, "allow"],
    ["write", { path: "/home/ann/.ssh/config" }, "deny"],
    ["read", { path: "/home/ann/dev/x" }, "allow"],
    ["read", { path: "/home/ann/.pi/agent/docs/a.md" }, "allow"],
    ["read", { path: "/opt/pi/1.6/examples/a.ts" }, "allow"],
    ["mcp", { server: "docs", tool: "find" }, "allow"],
    ["mcp", {}, "ask"],
    ["mcp", { server: "mail", tool: "send" }, "ask"],
    ["skill", { skill: "librarian" }, "allow"],
  ] as const)("judges %s %j as its users know it: %s", (toolName, input, state) => {
    expect(judged(toolName, input)).toBe(state);
  });

  it("whose bare family stands behind its directions is told that the order of the file counts", () => {
    const { ok, issues } = compileConfig({
      user: {
        text: '{\n  "permission": {\n    "path_read": {"~/.ssh/*": "deny"},\n    "path": "allow"\n  }\n}',
      },
    });
    expect(ok).toBe(true);
    expect(issues).toEqual([
      {
        source: "user",
        path: "permission.path",
        message:
          "path stands behind path_read and wins over it where both match; put it first if path_read is the exception",
        rejects: false,
        at: { line: 4, column: 5 },
      },
    ]);
  });
});

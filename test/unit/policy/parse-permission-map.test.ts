import { describe, expect, it } from "vitest";
import {
  type ParsedPermission,
  type PermissionIssue,
  parsePermissionMap,
} from "../../../src/policy/parse-permission-map.ts";

/** Entries in their order; a Map compared as a whole would hide it. */
function readIn(parsed: ParsedPermission): readonly unknown[] {
  return parsed.ok ? [...parsed.permission] : [];
}

function issuesIn(parsed: ParsedPermission): readonly PermissionIssue[] {
  return parsed.ok ? [] : parsed.issues;
}

describe("a permission map", () => {
  it("is read in its own order, from objects and from Maps", () => {
    const asMap = new Map<string, unknown>([
      [
        "bash",
        new Map([
          ["9", "allow"],
          ["1", "deny"],
        ]),
      ],
      ["*", "ask"],
    ]);
    const parsed = parsePermissionMap(asMap);
    expect(readIn(parsed)).toEqual([
      [
        "bash",
        new Map([
          ["9", "allow"],
          ["1", "deny"],
        ]),
      ],
      ["*", "ask"],
    ]);
    expect(parsePermissionMap({ read: "allow" })).toEqual({
      ok: true,
      permission: new Map([["read", "allow"]]),
    });
  });

  it("takes a deny with its reason on a surface and on a pattern, as an object or a Map", () => {
    const deny = { action: "deny", reason: "releases run in the pipeline" };
    const parsed = parsePermissionMap({
      crm: deny,
      bash: { "npm publish*": new Map(Object.entries(deny)) },
    });
    expect(parsed).toEqual({
      ok: true,
      permission: new Map<string, unknown>([
        ["crm", deny],
        ["bash", new Map([["npm publish*", deny]])],
      ]),
    });
  });

  it("names every problem with its place and the value that was given", () => {
    const parsed = parsePermissionMap({
      bash: "permit",
      read: { "*": 7, "a/*": "allow" },
      edit: { "b/*": { action: "allow", reason: "why" } },
      crm: { action: "deny" },
      "": "ask",
    });
    expect(issuesIn(parsed).map(({ path, message }) => [path, message])).toEqual([
      [["bash"], expect.stringContaining('"permit"')],
      [["read", "*"], expect.stringContaining("7")],
      [["edit", "b/*"], expect.stringContaining('only "deny" takes a reason')],
      [["crm"], expect.stringContaining("reason of 1 to 500 characters is missing")],
      [[""], expect.stringContaining("empty")],
    ]);
  });

  it.each([
    ["a list", []],
    ["null", null],
    ["a text", "allow"],
  ])("refuses %s in its place", (_, value) => {
    expect(parsePermissionMap(value)).toMatchObject({ ok: false, issues: [{ path: [] }] });
  });

  it.each([
    ["an unknown field", { action: "deny", reason: "x", why: "y", "*": "deny" }],
    ["a reason that is too long", { "*": { action: "deny", reason: "r".repeat(501) } }],
    ["a reason that is no text", { "*": { action: "deny", reason: 5 } }],
    ["a lone surrogate in a reason", { "*": { action: "deny", reason: "\ud800" } }],
    ["a lone surrogate in a pattern", { "\ud800": "allow" }],
    ["a list of actions", { "*": ["allow"] }],
  ])("refuses %s", (_, bash) => {
    expect(parsePermissionMap({ bash }).ok).toBe(false);
  });

  it("counts a reason's characters, not its code units", () => {
    const reason = "\u{1f980}".repeat(500);
    expect(parsePermissionMap({ bash: { "*": { action: "deny", reason } } }).ok).toBe(true);
  });

  it("reports a value that JSON cannot hold instead of failing on it", () => {
    const circle: Record<string, unknown> = {};
    circle["action"] = circle;
    expect(parsePermissionMap({ bash: circle }).ok).toBe(false);
  });
});

import { describe, expect, it } from "vitest";
import { suggestGrants } from "../../../src/gates/suggest-grants.ts";

describe("a suggested grant", () => {
  it.each([
    ["bash", "npm run build --if-present", "npm run build *"],
    ["bash", "docker compose up -d", "docker compose up *"],
    ["bash", "npm test", "npm test *"],
    ["bash", "git -C /x push --force", "git -C /x push --force"],
    ["mcp", "a:b:c", "a:b:*"],
    ["mcp", "mcp_status", "mcp_status"],
    ["external_directory_write", "/opt/kit/a", "/opt/kit/*"],
    ["path_read", "C:\\kit\\a", "C:\\kit/*"],
    ["write", "/opt/kit/a", "*"],
  ])("on %s for %j is %j", (surface, value, pattern) => {
    expect(suggestGrants(surface, value)).toEqual([{ surface, pattern }]);
  });

  it.each([
    ["bash", "~/bin/x y"],
    ["bash", "$CMD x"],
    ["bash", ""],
    ["skill", "note?"],
    ["mcp", "a*:b"],
    ["path", "/a"],
    ["path", "$HOME/a/b"],
    ["crm_*", "crm"],
  ])("on %s for %j is not offered", (surface, value) => {
    expect(suggestGrants(surface, value)).toEqual([]);
  });
});

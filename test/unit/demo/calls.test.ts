import { describe, expect, it } from "vitest";
import { CHILDREN, nameOf, readCalls } from "../../../demo/calls.ts";
import { LINE_SCHEMAS } from "../../../src/cli/line-schemas.ts";

const CALLS = readCalls();
const tools = new Set(CALLS.map(({ call }) => call.toolName));
const commands = CALLS.map(({ call }) => call.input["command"]).filter(
  (command) => typeof command === "string",
);

describe("the session that the demo replays", () => {
  it("has calls that the child program takes, each under an id of its own", () => {
    for (const { call } of CALLS) expect(LINE_SCHEMAS.call.parse(call)).toEqual(call);
    expect(new Set(CALLS.map(({ call }) => call.id)).size).toBe(CALLS.length);
  });

  it("is put by two children and holds at least 25 calls of every kind", () => {
    expect(new Set(CALLS.map(({ session }) => session))).toEqual(new Set(CHILDREN));
    expect(CALLS.length).toBeGreaterThanOrEqual(25);
    for (const tool of ["bash", "read", "write", "edit", "mcp", null])
      expect(tools).toContain(tool);
  });

  it("holds a command of 200 lines, one with escape sequences and one that runs backwards", () => {
    expect(Math.max(...commands.map((command) => command.split("\n").length))).toBe(200);
    expect(commands.join()).toContain("\u001b[2J");
    expect(commands.join()).toContain("\u202e");
  });

  it("is named for a person by its first line, server and tool, or skill", () => {
    const names = CALLS.map(nameOf);
    expect(names).toContain("bash cat > scripts/limits.sql <<'SQL' … (200 lines)");
    expect(names).toContain("mcp docs:search");
    expect(names).toContain("skill release-notes");
  });
});

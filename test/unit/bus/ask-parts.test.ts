import { describe, expect, it } from "vitest";
import { actionDigest, mintNonce } from "../../../src/bus/ask-parts.ts";
import { sessionToken, subjectPrefix } from "../../../src/bus/tokens.ts";

describe("what a child makes for an ask", () => {
  it("an action digest does not depend on the order of the input's keys", () => {
    const digest = "KguRCaqxCQ6gZ88jjfCxu6Ccfk3dnuevmaMjWvwHTyw";
    const action = { tool: "bash", input: { command: "ls" }, cwd: "/srv/tree-9" };
    expect(actionDigest(action)).toBe(digest);
    expect(actionDigest({ cwd: "/srv/tree-9", input: { command: "ls" }, tool: "bash" })).toBe(
      digest,
    );
    expect(actionDigest({ ...action, cwd: "/srv" })).not.toBe(digest);
    expect(actionDigest({ ...action, tool: null })).not.toBe(digest);
  });

  it("an action that has no form has no digest", () => {
    const action = { tool: "bash", input: { command: "\ud800" }, cwd: "/" };
    expect(() => actionDigest(action)).toThrow("canonical");
  });

  it("a nonce is 43 characters and never the same", () => {
    expect(mintNonce()).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(mintNonce()).not.toBe(mintNonce());
  });
});

describe("names in subjects", () => {
  it("a session's token is what its credential names", () => {
    expect(sessionToken("team/a.b")).toBe("team=2Fa=2Eb");
  });

  it("the prefix is the fleet's unless one is configured", () => {
    expect(subjectPrefix("default")).toBe("af.v1.default");
    expect(subjectPrefix("*")).toBe("af.v1.=2A");
    expect(subjectPrefix("default", "corp.af.v1.x")).toBe("corp.af.v1.x");
    expect(() => subjectPrefix("default", "corp.*")).toThrow('subjectPrefix "corp.*"');
  });
});

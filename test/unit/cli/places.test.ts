import { describe, expect, it } from "vitest";
import { dataFolder } from "../../../src/cli/places.ts";
import { findParent, readSession } from "../../../src/cli/session-name.ts";

const IO = { env: {}, cwd: "/work/app", home: "/home/ann" };

describe("the data folder", () => {
  it.each([
    ["the user's own when nothing is said", {}, {}, "/home/ann/.local/state/askfabric"],
    ["below XDG_STATE_HOME", {}, { XDG_STATE_HOME: "/state" }, "/state/askfabric"],
    [
      "the user's own when XDG_STATE_HOME is relative",
      {},
      { XDG_STATE_HOME: "state" },
      "/home/ann/.local/state/askfabric",
    ],
    ["what the environment names", {}, { ASKFABRIC_DATA: "/env/data" }, "/env/data"],
    [
      "what a flag names before the environment",
      { data: "d" },
      { ASKFABRIC_DATA: "/env/data" },
      "/work/app/d",
    ],
  ])("is %s", (_name, flags, env, folder) => {
    expect(dataFolder(flags, { ...IO, env })).toBe(folder);
  });
});

describe("the names of sessions", () => {
  it("a session comes from the flag, then from the environment", () => {
    const env = { ASKFABRIC_SESSION: "env" };
    expect([readSession("flag", { env }), readSession(undefined, { env })]).toEqual([
      "flag",
      "env",
    ]);
  });

  it("a command without a session says what to give", () => {
    expect(() => readSession(undefined, { env: {} })).toThrow(
      "no session is named; give --session or set ASKFABRIC_SESSION",
    );
  });

  it.each([
    ["the flag over all", { flag: "f", configured: ["c"] }, { ASKFABRIC_PARENT: "e" }, "f"],
    [
      "the environment over the configuration",
      { flag: undefined, configured: ["c"] },
      { ASKFABRIC_PARENT: "e" },
      "e",
    ],
    [
      "the first of the configuration",
      { flag: undefined, configured: ["self", "c", "d"] },
      {},
      "c",
    ],
    ["nobody when nothing names one", { flag: undefined, configured: [] }, {}, null],
  ])("a parent is %s", (_name, names, env, parent) => {
    const found = findParent({ ...names, session: "self" }, { env });
    expect(found).toMatchObject({ parent, ownMarkIgnored: false });
  });

  it("a session does not take itself for its parent because it inherits its own mark", () => {
    const env = { ASKFABRIC_PARENT: "self" };
    const found = findParent({ flag: undefined, configured: [], session: "self" }, { env });
    expect(found).toEqual({ parent: null, others: [], ownMarkIgnored: true });
  });

  it.each([
    ["flags", { flag: ["a", "b"], configured: ["c", "d"] }, ["a", "b"]],
    ["the configuration", { flag: undefined, configured: ["c", "self", "d"] }, ["c", "d"]],
  ])("parents of %s keep their order", (_name, names, parents) => {
    const found = findParent({ ...names, session: "self" }, { env: {} });
    expect([found.parent, ...found.others]).toEqual(parents);
  });

  it("a session that is named as its own parent by a flag keeps it, so that the ask is refused by name", () => {
    const found = findParent({ flag: "self", configured: [], session: "self" }, { env: {} });
    expect(found.parent).toBe("self");
  });
});

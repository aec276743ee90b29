import { describe, expect, it } from "vitest";
import type { ChildOptions } from "../../../src/child/child.ts";
import { gateContextOf } from "../../../src/child/gate-context.ts";
import { describeToolCall } from "../../../src/gates/describe-tool-call.ts";

const LINKS: Readonly<Record<string, string>> = { "/home/ann/.host": "/mnt/host" };

/** Resolves the one link of this machine, wherever it stands in a path. */
function realpath(path: string): string {
  const link = Object.keys(LINKS).find((one) => path === one || path.startsWith(`${one}/`));
  return link === undefined ? path : `${LINKS[link] ?? ""}${path.slice(link.length)}`;
}

function readsFreely(own: readonly string[], path: string, of: Partial<ChildOptions> = {}) {
  const gates = gateContextOf(
    { home: "/home/ann", platform: "linux", infrastructureReadPaths: own, ...of },
    realpath,
  );
  const call = { toolName: "read", input: { path }, cwd: "/srv/app" };
  return describeToolCall(call, gates).some(({ infrastructureRead }) => infrastructureRead);
}

describe("the host program's own files", () => {
  it.each([
    [["~/docs"], "/home/ann/docs/a.md"],
    [["$HOME/docs"], "/home/ann/docs/a.md"],
    [["/opt/host/*/docs/*"], "/opt/host/v1/docs/a.md"],
    [["/opt/host-?/*"], "/opt/host-2/a.md"],
    [["~/.host/*"], "/mnt/host/a.md"],
    [["~/.host/*"], "/home/ann/.host/a.md"],
  ])("%j hold %s", (own, path) => {
    expect(readsFreely(own, path)).toBe(true);
  });

  it.each([
    [["~/docs"], "/home/ann/docs-2/a.md"],
    [["/opt/host/*/docs/*"], "/opt/host/v1/keys"],
    [["/opt/host/*"], "/opt/host/../keys"],
    [["/opt/host/*"], "/opt/HOST/a.md"],
  ])("%j do not hold %s", (own, path) => {
    expect(readsFreely(own, path)).toBe(false);
  });

  it("are known on Windows whatever the case and the separators", () => {
    const of = { platform: "win32", home: "C:\\Users\\ann" } as const;
    expect(readsFreely(["C:\\Host\\*"], "c:/host/DOCS/a.md", of)).toBe(true);
  });
});

import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCall } from "../../src/child/judge-call.ts";
import type { GateContext } from "../../src/gates/context.ts";
import { realPath } from "../../src/gates/real-path.ts";
import { aFolder } from "../support/journal-parts.ts";
import { runs } from "../support/random-tests.ts";
import { aPolicy, rules } from "../support/rules.ts";

const SECRET = "this is the key";

/** A tree with links up, down, across and in a circle of two; the key lies outside the working directory. */
function aTree(root: string): void {
  mkdirSync(join(root, "app/sub/deep"), { recursive: true });
  mkdirSync(join(root, "secrets/old"), { recursive: true });
  mkdirSync(join(root, "home"));
  writeFileSync(join(root, "secrets/key"), SECRET);
  symlinkSync("../secrets", join(root, "app/link"));
  symlinkSync("..", join(root, "app/sub/up"));
  symlinkSync(join(root, "app/sub/deep"), join(root, "secrets/old/back"));
  symlinkSync("../app/link", join(root, "home/mine"));
  symlinkSync("../../secrets/key", join(root, "app/sub/innocent.txt"));
}

/** Walks as the system does: each step goes to a folder that is there, or up, but not out of the tree. */
function walk(root: string, start: string, steps: readonly number[]): string {
  let typed = start;
  for (const step of steps) {
    const names = [".", "..", "", ...readdirSync(typed)];
    const next = `${typed}/${names[step % names.length] ?? "."}`;
    const stays = realpathSync.native(next).startsWith(root);
    if (stays && statSync(next).isDirectory()) typed = next;
  }
  return `${typed}/${relative(realpathSync.native(typed), join(root, "secrets/key"))}`;
}

/** How a call spells a path that begins with the working directory or the home folder. */
function spelled(path: string, root: string, how: number): string {
  const app = `${join(root, "app")}/`;
  const inside = path.startsWith(app) ? path.slice(app.length) : "/";
  if (how % 3 === 1 && !inside.startsWith("/")) return inside;
  const home = join(root, "home");
  return how % 3 === 2 && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function judged(toolName: string, input: Readonly<Record<string, unknown>>, root: string) {
  const home = join(root, "home");
  const policy = aPolicy(
    { global: rules({ "*": "allow", path: { [`${root}/secrets/*`]: "deny" } }) },
    { home },
  );
  const gates: GateContext = { home, platform: "linux", realpath: realPath };
  const call = { toolName, input, cwd: join(root, "app") };
  return judgeCall(call, { policy, gates, grants: [], agent: null }).state;
}

describe("a file that a rule denies", () => {
  it("stays denied however its path is spelled: links, climbs, doubled slashes, the home folder", () => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    const starts = fc
      .constantFrom("app", "home", "app/sub", "secrets/old/back")
      .map((name) => join(root, name));
    fc.assert(
      fc.property(
        starts,
        fc.array(fc.nat(30), { maxLength: 6 }),
        fc.nat(2),
        (start, steps, how) => {
          const path = walk(root, start, steps);
          expect(readFileSync(path, "utf8")).toBe(SECRET);
          const typed = spelled(path, root, how);
          for (const tool of ["read", "edit", "grep"]) {
            expect([typed, judged(tool, { path: typed }, root)]).toEqual([typed, "deny"]);
          }
        },
      ),
      { numRuns: runs(150) },
    );
  });

  it("stays denied behind a link to the file itself, also for a command", () => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    expect(judged("read", { path: "sub/innocent.txt" }, root)).toBe("deny");
    expect(judged("bash", { command: "cat sub/innocent.txt" }, root)).toBe("deny");
    expect(judged("bash", { command: "cat < ./link/key" }, root)).toBe("deny");
    expect(judged("bash", { command: "tee link/../secrets/new" }, root)).toBe("deny");
  });

  it("leaves every other file alone, so that it is not the spelling which denies", () => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    writeFileSync(join(root, "app/plain.txt"), "");
    for (const path of [
      "plain.txt",
      "./sub/../plain.txt",
      "sub/up/plain.txt",
      "sub//up//./plain.txt",
    ]) {
      expect([path, judged("read", { path }, root)]).toEqual([path, "allow"]);
    }
  });
});

describe("a file that a rule denies on Windows", () => {
  const policy = aPolicy(
    { global: rules({ "*": "allow", path: { "C:\\work\\Secrets\\*": "deny" } }) },
    { home: "C:\\Users\\ann", platform: "win32" },
  );
  const gates: GateContext = {
    home: "C:\\Users\\ann",
    platform: "win32",
    realpath: (path) => path,
  };
  const stateOf = (path: string) =>
    judgeCall(
      { toolName: "read", input: { path }, cwd: "C:\\work" },
      { policy, gates, grants: [], agent: null },
    ).state;

  it.each([
    "secrets\\key",
    "SECRETS/KEY",
    ".\\src\\..\\secrets\\key",
    "c:/work/secrets/key",
    "\\\\?\\C:\\work\\secrets\\key",
    "\\\\.\\C:\\work\\secrets\\key",
    "C:secrets\\key",
    "secrets.\\key",
    "secrets \\key. ",
    "secrets\\key::$DATA",
    "secrets\\\\key",
    "..\\work\\secrets\\key",
  ])("stays denied as %j", (path) => {
    expect(stateOf(path)).toBe("deny");
  });

  it.each(["src\\key", "secretsx\\key", "src\\.env", "src\\...\\a"])("leaves %j alone", (path) => {
    expect(stateOf(path)).toBe("allow");
  });

  it("is found in the home folder by either separator", () => {
    const home = aPolicy(
      { global: rules({ "*": "allow", path: { "~/.ssh/*": "deny" } }) },
      { home: "C:\\Users\\ann", platform: "win32" },
    );
    for (const path of ["~\\.ssh\\id", "~/.SSH/id", "C:/Users/Ann/.ssh/id"]) {
      const call = { toolName: "read", input: { path }, cwd: "C:\\work" };
      const { state } = judgeCall(call, { policy: home, gates, grants: [], agent: null });
      expect([path, state]).toEqual([path, "deny"]);
    }
  });
});

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeCall } from "../../src/child/judge-call.ts";
import type { GateContext } from "../../src/gates/context.ts";
import { listFolder } from "../../src/gates/list-folder.ts";
import { realPath } from "../../src/gates/real-path.ts";
import { aFolder } from "../support/journal-parts.ts";
import { aPolicy, rules } from "../support/rules.ts";

const FILES = ["secrets/key", "secrets/.env", "src/a.ts", "src/b.ts", "x/y/z.md", "x[1]/a b"];

function aTree(root: string): void {
  for (const file of FILES) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), "");
  }
  symlinkSync("secrets", join(root, "link"));
}

function judged(command: string, root: string, gates: Partial<GateContext> = {}) {
  const policy = aPolicy({ global: rules({ "*": "allow", path: { "secrets/*": "deny" } }) });
  const context = { home: "/home/ann", platform: "linux", realpath: realPath, ...gates } as const;
  const call = { toolName: "bash", input: { command }, cwd: root };
  return judgeCall(call, { policy, gates: context, grants: [], agent: null }).state;
}

/** Ways to write a character so that it still is found. */
const written = (character: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    character,
    "?",
    "*",
    "**",
    `[${character}]`,
    `[!${character === "q" ? "p" : "q"}]`,
    `[a-z${character}]`,
    `\\${character}`,
    `"${character}"`,
    "[[:print:]]",
  );

/** A name as a pattern that finds it; at the front, a dot must be written. */
function patternOf(name: string): fc.Arbitrary<string> {
  const parts = Array.from(name).map((one, i) =>
    i === 0 && one === "." ? fc.constant(".") : written(one),
  );
  return fc.tuple(...parts).map((found) => found.join(""));
}

const secret = fc.constantFrom(
  ["secrets", "key"],
  ["secrets", ".env"],
  ["link", "key"],
  [".", "secrets", "key"],
  ["src", "..", "secrets", "key"],
);

const pattern = secret.chain((parts) =>
  fc
    .tuple(...parts.map((part) => (/^\.+$/.test(part) ? fc.constant(part) : patternOf(part))))
    .map((found) => found.join("/")),
);

const command = fc
  .tuple(
    pattern,
    fc.constantFrom<(glob: string) => string>(
      (glob) => `cat ${glob}`,
      (glob) => `grep x ${glob}`,
      (glob) => `cat < ${glob}`,
      (glob) => `for f in ${glob}; do cat "$f"; done`,
      (glob) => `cat {src/a.ts,${glob}}`,
      (glob) => `sudo cat ${glob}`,
      (glob) => `(cd . && cat ${glob})`,
      (glob) => `cat $PWD/${glob}`,
    ),
  )
  .map(([glob, change]) => change(glob));

describe("a pattern of files", () => {
  it("that finds a denied file is never allowed, and denied where the folder can be read", () => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    let denied = 0;
    fc.assert(
      fc.property(command, (text) => {
        const state = judged(text, root, { list: listFolder });
        denied += Number(state === "deny");
        expect([text, state]).not.toEqual([text, "allow"]);
        expect([text, judged(text, root)]).not.toEqual([text, "allow"]);
      }),
    );
    expect(denied).toBeGreaterThan(10);
  });

  it.each([
    "cat s*/key",
    "cat secrets/*",
    "cat ?ecrets/k?y",
    "cat [r-t]*/[!q]ey",
    "cat link/*",
    "cat */key",
    "cat **/key",
    "grep x se*/k*",
    "cd s*s && cat k*",
    "cd secr* && cat key",
    "for f in s*/k*; do cat $f; done",
    "cat < s*/key",
    "cat sec*/.e*",
    "cat 's'e'c'*/key",
    "bash -c 'cat s*/key'",
    "cat src/../s*/key",
    "cat {src,s*}/key",
  ])("%j is denied for the file that it finds", (text) => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    expect(judged(text, root, { list: listFolder })).toBe("deny");
  });

  it.each([
    "ls *.ts",
    "ls *",
    "cat src/*",
    "cat src/*.ts x/*/*.md",
    "cat src/[ab].ts",
    "wc -l **/*.ts",
    "cat s*/a.ts",
    "cat 's*/key'",
    "cat s\\*/key",
    "cat x\\[1]/*",
    "echo s*",
    "curl https://example.com/?a=s*/key",
    'for f in src/*.ts; do wc -l "$f"; done',
    "cat nothing*",
    "cat *.env",
  ])("%j is allowed, for it finds nothing that is denied", (text) => {
    using folder = aFolder();
    const root = realpathSync(folder.path);
    aTree(root);
    expect(judged(text, root, { list: listFolder })).toBe("allow");
  });

  it("is asked about when it finds more than is judged", () => {
    const list: GateContext["list"] = () =>
      Array.from({ length: 1001 }, (_, i) => ({ name: `f${String(i)}`, isFolder: true }));
    expect(judged("cat f*", "/srv/app", { list })).toBe("ask");
    expect(judged("cat f*/f*/g", "/srv/app", { list })).toBe("ask");
    expect(judged("cat **/g", "/srv/app", { list })).toBe("ask");
  });

  it("is asked about when a folder could not be looked into", () => {
    expect(judged("cat f*", "/srv/app", { list: () => [] })).toBe("allow");
    expect(judged("cat f*", "/srv/app", { list: () => null })).toBe("ask");
  });
});

import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const MODULE = fileURLToPath(new URL("../../../src/cli/load-kept.ts", import.meta.url));
const BESIDE = 'exports.whole = (greeting) => `${greeting} ${require("./part.cjs").name}`;';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "askfabric-kept-"));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function writeProgram(greeting: string): void {
  const text = `exports.name = "you"; exports.greet = () => require("./beside.cjs").whole("${greeting}");`;
  writeFileSync(join(root, "beside.cjs"), BESIDE);
  writeFileSync(join(root, "part.cjs"), text);
}

/** Runs the program in a process of its own and returns what it prints. */
function run(): string {
  const program = {
    file: join(root, "part.cjs"),
    folder: join(root, "kept"),
    use: "ask",
  };
  const script = `
    import { loadKept } from ${JSON.stringify(MODULE)};
    const program = loadKept(${JSON.stringify(program)});
    process.stdout.write(program === null ? "nothing" : program.greet());`;
  const args = ["--input-type=module", "--eval", script];
  return execFileSync(process.execPath, args, { encoding: "utf8" });
}

function kept(): readonly string[] {
  return readdirSync(join(root, "kept"));
}

function keptFile(): string {
  return join(root, "kept", kept()[0] ?? "none");
}

describe("a program that is loaded with its compiled code", () => {
  it("runs the same the first time and with what was kept of it", () => {
    writeProgram("hello");
    expect(run()).toBe("hello you");
    const [name] = kept();
    expect(run()).toBe("hello you");
    expect(kept()).toEqual([name]);
  });

  it("runs its new text after a change that keeps its length", () => {
    writeProgram("hello");
    run();
    writeProgram("jello");
    expect(run()).toBe("jello you");
    expect(run()).toBe("jello you");
  });

  it.each([
    ["cut off", (whole: Buffer) => whole.subarray(0, whole.length - 8)],
    ["empty", () => Buffer.alloc(0)],
    [
      "changed in one bit",
      (whole: Buffer) => Buffer.concat([whole.subarray(0, -1), Buffer.from([1])]),
    ],
  ])("runs from its text and keeps it anew when what was kept is %s", (_what, damage) => {
    writeProgram("hello");
    run();
    const whole = readFileSync(keptFile());
    writeFileSync(keptFile(), damage(whole));
    expect(run()).toBe("hello you");
    expect(readFileSync(keptFile()).subarray(32).length).toBeGreaterThan(whole.length / 2);
    expect(run()).toBe("hello you");
  });

  it("runs where nothing can be kept", () => {
    writeProgram("hello");
    writeFileSync(join(root, "kept"), "a file where the folder would be");
    expect(run()).toBe("hello you");
  });

  it("removes what was kept long ago and nothing else", () => {
    writeProgram("hello");
    mkdirSync(join(root, "kept"));
    for (const name of ["old-ask.kept", "foreign"]) {
      writeFileSync(join(root, "kept", name), "");
      utimesSync(join(root, "kept", name), 0, 0);
    }
    run();
    expect(kept()).toContain("foreign");
    expect(kept()).not.toContain("old-ask.kept");
  });

  it("is null when it is not there", () => {
    expect(run()).toBe("nothing");
  });
});

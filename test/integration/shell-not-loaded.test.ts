import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const MODULE = new URL("../../src/shell/analyze-shell.ts", import.meta.url).href;

/** The floors of commands in a process that never loads the grammar. */
function floorsWithout(commands: readonly string[]): unknown {
  const program = `
    const { analyzeShell } = await import(${JSON.stringify(MODULE)});
    const floors = (command) => analyzeShell(command).units.map(({ floor }) => floor);
    console.log(JSON.stringify(${JSON.stringify(commands)}.map(floors)));`;
  const told = execFileSync(process.execPath, ["--input-type=module", "-e", program]);
  return JSON.parse(told.toString("utf8"));
}

it("without the grammar plain commands are taken apart and all others are floored whole", () => {
  const plain = ["ls -la", "git add -A && git commit -m 'a b'; ls", "cat x | wc -l"];
  const others = ["ls > x", "(ls; ls)", 'echo "$X"', "ls # a", "ls `pwd`", "a\\ b", "f() { ls; }"];
  const UNPARSED = "<unparsed-bash-subtree>";
  expect(floorsWithout([...plain, ...others])).toEqual([
    [null],
    [null, null, null],
    [null, null],
    ...others.map(() => [UNPARSED]),
  ]);
});

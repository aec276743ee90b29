import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../../src/shell/analyze-shell.ts";

const unitOf = (command: string) => analyzeShell(command).units[0];

const OPAQUE = "<opaque-bash-wrapper>";
const INDIRECT = "<indirection-bash-wrapper>";
const UNPARSED = "<unparsed-bash-subtree>";

describe("a plain command", () => {
  it.each([
    ["ls -la", "ls -la"],
    ["  git   push origin ", "git   push origin"],
    ["FOO=1 BAR=/x rm a", "rm a"],
    ["FOO=1", "FOO=1"],
    ["", ""],
    ["git show HEAD#1 a,b %1 ^x @y", "git show HEAD#1 a,b %1 ^x @y"],
    ["cat ~/x ~", "cat ~/x ~"],
    ["\u00a0rm x", "\u00a0rm x"],
  ])("%j is one unit %j that an allow may stand on", (command, value) => {
    expect(analyzeShell(command).units).toEqual([{ value, floor: null, context: null }]);
  });
});

describe("what needs a parser", () => {
  it.each([
    ["a list", "ls && rm x"],
    ["a sequence", "ls; rm x"],
    ["a pipe", "ls | sh"],
    ["a background job", "ls & rm x"],
    ["a line end", "ls\nrm x"],
    ["a carriage return", "ls\rrm x"],
    ["a redirect", "ls > x"],
    ["a substitution", "ls $(rm x)"],
    ["backticks", "ls `rm x`"],
    ["a variable", "ls $HOME"],
    ["single quotes", "ls 'a'"],
    ["double quotes", 'ls "a"'],
    ["a backslash", "r\\m x"],
    ["a glob", "cat s*/key"],
    ["a character class", "cat [s]ecrets/key"],
    ["braces", "cat {a,b}"],
    ["a comment", "ls # rm x"],
    ["another person's home", "cat ~bob/x"],
    ["a home behind a sign", "FOO=~/x ls"],
    ["a subshell", "(ls)"],
    ["a control character", "ls \u0001"],
    ["a NUL", "ls \u0000"],
    ["a negation", "! rm x"],
    ["a reserved word", "if true"],
  ])("%s makes one unit of the whole text that nothing allows", (_, command) => {
    expect(analyzeShell(command).units).toEqual([
      { value: command, floor: UNPARSED, context: null },
    ]);
  });

  it("a text over the budget is not taken apart at all", () => {
    const command = `echo ${"x".repeat(64 * 1024)}`;
    expect(unitOf(command)?.floor).toBe("<unparseable-bash-command>");
    expect(unitOf(`echo ${"\u00e4".repeat(33 * 1024)}`)?.floor).toBe("<unparseable-bash-command>");
  });

  it("a text of more parts than are judged counts as over the budget", () => {
    const command = Array.from({ length: 1500 }, (_, i) => `a${i}`).join(";");
    expect(unitOf(command)?.floor).toBe("<unparseable-bash-command>");
  });
});

describe("a wrapper", () => {
  it.each([
    ["sudo ls", INDIRECT],
    ["/usr/bin/sudo ls", INDIRECT],
    ["FOO=1 sudo ls", INDIRECT],
    ["env A=1 make", INDIRECT],
    ["xargs rm", INDIRECT],
    ["time make", INDIRECT],
    ["nohup make", INDIRECT],
    ["timeout 5 ls", INDIRECT],
    ["nice -n 5 ls", INDIRECT],
    ["parallel rm", INDIRECT],
    ["doas ls", INDIRECT],
    ["setsid ls", INDIRECT],
    ["stdbuf -oL ls", INDIRECT],
    ["watch ls", INDIRECT],
    ["flock /tmp/l ls", INDIRECT],
    ["command ls", INDIRECT],
    ["builtin cd x", INDIRECT],
    ["exec ls", INDIRECT],
    ["busybox rm x", INDIRECT],
    ["ionice -c2 ls", INDIRECT],
    ["chroot /x ls", INDIRECT],
    ["ssh host ls", INDIRECT],
    ["find . -exec rm x", INDIRECT],
    ["find . -okdir rm x", INDIRECT],
    ["fd -x rm", INDIRECT],
    ["bash -c ls", OPAQUE],
    ["sh -lc ls", OPAQUE],
    ["bash --norc -o pipefail -c ls", OPAQUE],
    ["eval ls", OPAQUE],
    ["python3.12 -c x", OPAQUE],
    ["python -W ignore -Ic x", OPAQUE],
    ["node -e x", OPAQUE],
    ["node --require ./a -p x", OPAQUE],
    ["deno eval x", OPAQUE],
    ["perl -ne x", OPAQUE],
    ["ruby -e x", OPAQUE],
    ["php -r x", OPAQUE],
  ])("%j has the floor %s", (command, floor) => {
    expect(unitOf(command)).toEqual({ value: command.replace("FOO=1 ", ""), floor, context: null });
  });

  it.each([
    "echo sudo ls",
    "find . -name x",
    "bash build.sh",
    "bash -x build.sh -c",
    "command -v ls",
    "python script.py -c x",
    "python -m compileall x",
    "node server.js -p 3000",
    "perl -w script.pl -e",
    "fd x",
    "sudoku",
  ])("%j is none", (command) => {
    expect(unitOf(command)?.floor).toBeNull();
  });
});

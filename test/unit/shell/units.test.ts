import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../../src/shell/analyze-shell.ts";

const SHORT: Readonly<Record<string, string>> = {
  command_substitution: "$",
  process_substitution: "<",
  subshell: "(",
};

const told = (command: string): readonly string[] =>
  analyzeShell(command).units.map(
    ({ value, floor, context }) =>
      `${context === null ? "" : `${SHORT[context] ?? "?"} `}${value}${floor === null ? "" : ` ${floor}`}`,
  );

const UNPARSED = "<unparsed-bash-subtree>";

describe("the units of a command", () => {
  it.each([
    ["ls -la", ["ls -la"]],
    ["  git   push origin ", ["git   push origin"]],
    ["FOO=1 BAR=/x rm a", ["rm a"]],
    ["FOO=1", ["FOO=1"]],
    ["", [""]],
    ["git show HEAD#1 a,b %1 ^x @y", ["git show HEAD#1 a,b %1 ^x @y"]],
    ["ls; cat a && rm b || c & d", ["ls", "cat a", "rm b", "c", "d"]],
    ["ls\nrm x", ["ls", "rm x"]],
    ["ls | rm x |& wc", ["ls", "rm x", "wc"]],
    ["! rm x", ["rm x"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done", ["a", "b"]],
    ["for i in *.ts; do wc -l; done", ["wc -l"]],
    ["for ((i=0; i<3; i++)); do ls; done", ["ls"]],
    ["case $(a) in b) rm x;; *) ls ;; esac", ["$ a", "rm x", "ls"]],
    ["f() { rm x; }", ["rm x"]],
    ["function f { rm x; }; f", ["rm x", "f"]],
    ["{ ls; rm x; } > out", ["ls", "rm x"]],
    ["(ls; rm x)", ["( ls", "( rm x"]],
    ["(ls; (rm x)) && wc", ["( ls", "( rm x", "wc"]],
    ["echo $(a $(b)) `c`", ["echo $(a $(b)) `c`", `$ a $(b) ${UNPARSED}`, "$ b", "$ c"]],
    ['echo "today: $(rm x)"', ['echo "today: $(rm x)"', "$ rm x"]],
    ["echo '$(rm x)'", ["echo '$(rm x)'"]],
    ["diff <(a) b", ["diff <(a) b", "< a"]],
    ["tee >(a)", ["tee >(a)", "< a"]],
    ["ls > out", ["ls > out"]],
    ["ls > out -la", ["ls > out -la"]],
    ["ls 2>&1 | wc", ["ls 2>&1", "wc"]],
    ["2>/dev/null FOO=1 rm x", ["rm x"]],
    ["> out rm x", ["rm x"]],
    ["FOO=$(a) rm x", ["$ a", "rm x"]],
    ["FOO=$(a)", ["$ a"]],
    ["FOO='a b'", ["FOO='a b'"]],
    ["export A=$(rm x)", ["export A=$(rm x)", "$ rm x"]],
    ["x=(a $(b))", ["$ b"]],
    ["[[ -f $(rm x) && -n b ]]", ["[[ -f $(rm x) && -n b ]]", "$ rm x"]],
    ["[ -f x ] && rm x", ["[ -f x ]", "rm x"]],
    ["cat <<EOF\nhi $(rm x)\nEOF", ["cat <<EOF\nhi $(rm x)\nEOF", "$ rm x"]],
    ["cat <<'EOF'\nhi $(rm x)\nEOF", ["cat <<'EOF'\nhi $(rm x)\nEOF"]],
    ["cat <<EOF | rm x\nhi\nEOF", ["cat <<EOF\nhi\nEOF", "rm x"]],
    ["cat <<EOF && rm x\nhi\nEOF\nls", ["cat <<EOF\nhi\nEOF", "rm x", "ls"]],
    ["cat <<-EOF\n\thi\n\tEOF\nls", ["cat <<-EOF\n\thi\n\tEOF", "ls"]],
    ['cat <<< "$(rm x)"', ['cat <<< "$(rm x)"', "$ rm x"]],
    ["ls # rm x", ["ls"]],
    ["ls && # it's\nrm x", ["ls", "rm x"]],
    ["# rm x", ["# rm x"]],
    ["rm \\\n x", ["rm \\\n x"]],
    ["ls;\u00a0rm x", ["ls", "\u00a0rm x"]],
    ["r\\\nm x", ["r\\\nm x"]],
    ["ls *.ts [ab]?", ["ls *.ts [ab]?"]],
    ["cat {a,b}", ["cat {a,b}"]],
    ["cd x && ls", ["cd x", "ls"]],
    ['echo "$X" ${#X} $((1 + 2)) $?', ['echo "$X" ${#X} $((1 + 2)) $?']],
    [
      "git commit -m \"$(cat <<'EOF'\nfix: it's $5\nEOF\n)\"",
      ["git commit -m \"$(cat <<'EOF'\nfix: it's $5\nEOF\n)\"", "$ cat <<'EOF'\nfix: it's $5\nEOF"],
    ],
  ])("%j are %j", (command, units) => {
    expect(told(command)).toEqual(units);
  });

  it.each([
    ["an open quote", 'echo "abc'],
    ["a stray parenthesis", "ls )"],
    ["backticks in backticks", "x=`a \\`rm y\\``"],
    ["quotes that expand", "echo \"${x:-'$(rm y)'}\""],
    ["a prompt's expansion", "echo ${x@P}"],
    ["an indirect name", "echo ${!x}"],
    ["a here-document of CRLF lines", "cat <<EOF\r\nhi\r\nEOF\r\nrm x"],
    ["a here-document without an end", "cat <<EOF\nhi"],
    ["a here-document that may go on", "cat <<EOF\nhi\\\nEOF\nrm x\nEOF"],
    ["a co-process", "coproc N { rm x; }"],
    ["a timed group", "time { rm x; }"],
    ["a timed subshell", "time (rm x)"],
    ["a carriage return behind a backslash", "ls \\\r\nrm x"],
    ["a lone carriage return", "ls\rrm x"],
    ["a carriage return before a line end, which is a word to the shell", "ls\r\nrm x"],
    ["backticks in a here-document, which the grammar misses", "cat <<EOF\nhi `rm x`\nEOF"],
    ["a control character", "ls; \u0001"],
    ["a NUL", "ls \u0000"],
    ["an ampersand that two shells read in two ways", "ls &> out rm x"],
    ["a locale's text", 'echo $"a"'],
    ["an old calculation", "echo $[1]"],
    ["a subscript that may run", "x[$(rm y)]=1"],
    ["an extended pattern", "ls !(a)"],
    ["nothing between two operators", "ls && ; rm x"],
    ["a reserved word out of place", "if true"],
    ["nesting without end", `${"$(".repeat(2000)}a${")".repeat(2000)}`],
    ["groups without end", `${"{ ".repeat(200)}a${"; }".repeat(200)}`],
  ])("with %s are the whole, which nothing allows", (_, command) => {
    const { units } = analyzeShell(command);
    expect(units).toHaveLength(1);
    expect(units[0]?.value).toBe(command);
    expect([UNPARSED, "<unparseable-bash-command>"]).toContain(units[0]?.floor);
  });

  it("are none for what only calculates or redirects, which nothing allows", () => {
    expect(told("((x=1))")).toEqual(["((x=1)) <unparseable-bash-command>"]);
    expect(told("> out")).toEqual(["> out <unparseable-bash-command>"]);
  });

  it("are the whole where there are more than are judged, or more text", () => {
    const many = Array.from({ length: 1500 }, (_, i) => `a${i}`).join(";");
    for (const command of [
      many,
      `echo ${"x".repeat(64 * 1024)}`,
      `echo ${"\u00e4".repeat(33 * 1024)}`,
    ]) {
      expect(analyzeShell(command).units).toEqual([
        { value: command, floor: "<unparseable-bash-command>", context: null },
      ]);
    }
  });

  it("read alone are what they were among others", () => {
    const command = 'A=1 cat <<EOF | (sort > "$(date)" -r) && f() { ls $(pwd); }\nhi\nEOF\n';
    for (const { value, floor } of analyzeShell(command).units) {
      expect(analyzeShell(value).units[0]).toMatchObject({ value, floor });
    }
  });
});

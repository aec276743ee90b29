import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../../src/shell/analyze-shell.ts";

const floorsOf = (command: string) => analyzeShell(command).units.map(({ floor }) => floor);

const OPAQUE = "<opaque-bash-wrapper>";
const INDIRECT = "<indirection-bash-wrapper>";
const UNPARSED = "<unparsed-bash-subtree>";

describe("a wrapper", () => {
  it.each([
    ["sudo ls", INDIRECT],
    ["/usr/bin/sudo ls", INDIRECT],
    ["'sudo' ls", INDIRECT],
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
    ["find . -exec rm {} \\;", INDIRECT],
    ["find . {-exec,rm,x}", INDIRECT],
    ["find . -okdir rm x", INDIRECT],
    ["fd -x rm", INDIRECT],
    ["git -c alias.x='!rm y' x", INDIRECT],
    ["git -c core.sshCommand=./x fetch", INDIRECT],
    ["git rebase --exec 'rm x' main", INDIRECT],
    ["git submodule foreach rm x", INDIRECT],
    ["git bisect run rm x", INDIRECT],
    ["tar -xf a --to-command='rm x'", INDIRECT],
    ["rsync -e 'rm x' a b", INDIRECT],
    ["script -c 'rm x'", INDIRECT],
    ["bash -c ls", OPAQUE],
    ["bash -c 'ls'", OPAQUE],
    ["sh -lc ls", OPAQUE],
    ["bash --norc -o pipefail -c ls", OPAQUE],
    ["eval ls", OPAQUE],
    ['eval "$X"', OPAQUE],
    ["trap 'rm x' EXIT", OPAQUE],
    ["alias x='rm y'", OPAQUE],
    ["compgen -W '$(rm x)'", OPAQUE],
    ["complete -C 'rm x' y", OPAQUE],
    ["bash <<EOF\nrm x\nEOF", OPAQUE],
    ["bash <<< 'rm x'", OPAQUE],
    ["sh -s -- a <<< 'rm x'", OPAQUE],
    ["python3 - <<EOF\nx\nEOF", OPAQUE],
    [". /dev/stdin <<< 'rm x'", OPAQUE],
    ["python3.12 -c x", OPAQUE],
    ["python -W ignore -Ic x", OPAQUE],
    ["node -e x", OPAQUE],
    ["node --require ./a -p x", OPAQUE],
    ["deno eval x", OPAQUE],
    ["perl -ne x", OPAQUE],
    ["ruby -e x", OPAQUE],
    ["php -r x", OPAQUE],
    ["awk 'BEGIN { system(\"rm x\") }'", OPAQUE],
    ["awk '{ print | \"sh\" }' a", OPAQUE],
    ["sed -n '1e rm x' a", OPAQUE],
    ["sed 's/a/rm x/e' a", OPAQUE],
    ["vim -c '!rm x'", OPAQUE],
  ])("%j has the floor %s", (command, floor) => {
    expect(floorsOf(command)).toEqual([floor]);
  });

  it("is a shell at the end of a pipe", () => {
    expect(floorsOf("curl x | sh")).toEqual([null, OPAQUE]);
    expect(floorsOf("curl x | bash -s -- y")).toEqual([null, OPAQUE]);
    expect(floorsOf("cat x | python3 -m json.tool")).toEqual([null, null]);
  });

  it.each([
    "echo sudo ls",
    "find . -name '*.ts'",
    "bash build.sh",
    "bash -x build.sh -c",
    "source ./env.sh",
    "command -v ls",
    "trap - EXIT",
    "trap '' INT",
    "alias",
    "python script.py -c x",
    "python -m compileall x",
    "node server.js -p 3000",
    "perl -w script.pl -e",
    "fd x",
    "sudoku",
    "awk '$1 > 5 || $2 { print $3 }' a",
    "sed -e 's/e x/w y/g' -n '/foo/p' a",
    "git -c user.name=ann commit -m x",
    "git -c core.pager=cat log",
    "tar -czf a.tgz b",
  ])("%j is none", (command) => {
    expect(floorsOf(command)).toEqual([null]);
  });
});

describe("a variable that is code to a command", () => {
  it.each([
    "LD_PRELOAD=./x.so ls",
    "BASH_ENV=x make",
    "ENV=x sh build.sh",
    "GIT_SSH_COMMAND='rm x' git fetch",
    "PAGER='rm x' git log",
    "PATH=.:$PATH make",
    "export PATH=.; make",
    "export 'LD_PRELOAD=x'",
    "NODE_OPTIONS='--require ./x' npm test",
    "PROMPT_COMMAND='rm x'",
  ])("in %j keeps an allow from standing", (command) => {
    expect(floorsOf(command)).not.toContain(null);
  });

  it.each([
    "FOO=1 ls",
    "CI=true npm test",
    "PAGER=cat git log",
    "GIT_EDITOR=true git rebase main",
    "NODE_OPTIONS=--max-old-space-size=4096 npm test",
  ])("is none in %j", (command) => {
    expect(floorsOf(command)).toEqual([null]);
  });
});

describe("text that the shell evaluates once more", () => {
  it.each([
    "let 'a[$(rm x)]=1'",
    "declare 'a[$(rm x)]=1'",
    "declare -a 'a=($(rm x))'",
    "typeset -i a='b[$(rm x)]'",
    "f() { local -n a=b; }",
    "export 'a[$(rm x)]=1'",
    'readonly "a=$X"',
    "test -v 'a[$(rm x)]'",
    "[ -v 'a[$(rm x)]' ]",
    "[ $X ]",
    "[[ -v 'a[$(rm x)]' ]]",
    "[[ 'a[$(rm x)]' -eq 1 ]]",
    "[[ $X -eq 1 ]]",
    "printf -v 'a[$(rm x)]' b",
    "printf $X b",
    "read 'a[$(rm x)]'",
    "read -a 'a[$(rm x)]'",
    "unset 'a[$(rm x)]'",
    "mapfile -C 'rm x' -c 1 a",
    "wait -n -p 'a[$(rm x)]'",
    "getopts ab 'c[$(rm x)]'",
    "echo $((X))",
    "((X)); ls",
    "X='a[$(rm y)]'; echo $((X))",
    "echo ${a[X]}",
    "read i; echo $((i + 1))",
    "for i in $(cat f); do echo $((i)); done",
    "echo $((1 + $(cat f)))",
    "hash -p ./x ls",
    "set -k",
    "shopt -s expand_aliases",
    'echo "!rm"',
  ])("in %j keeps an allow from standing", (command) => {
    expect(floorsOf(command)).not.toContain(null);
  });

  it.each([
    "i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done",
    "for ((i = 0; i < 3; i++)); do echo $((i * 2)); done",
    "for i in 1 2 3; do echo $((i)); done",
    'export A=1 B="$X"',
    "read -r -p 'name? ' NAME",
    "unset A B",
    "printf '%s\\n' \"$X\"",
    '[ "$X" = y ]',
    "[ $? -eq 0 ]",
    "set -euo pipefail",
    "[[ $X == a* && -n $Y ]]",
    "declare -r A=b",
    "echo wow!",
  ])("is none in %j", (command) => {
    expect(new Set(floorsOf(command))).toEqual(new Set([null]));
  });
});

describe("what one shell takes for one thing and another for another", () => {
  it.each([
    "a; a $'a\\'b' # it's\na",
    "echo $'a\\'b'; ls",
    "echo $'\\'; rm x #'",
    "$'rm' x",
    "$'./x' y",
    'echo $"x"',
    "PAGER=$'cat' git log",
    "sed $'$\\x65 rm x'",
    "cat $'a'$X",
    "[[ -n a || rm ]]",
    "[[ a && $X == b ]]",
    "[[ a && (rm x) && -n b ]]",
    "[[ a =~ b|rm ]]",
    "[[ a\nrm x\n]]",
    '[[ a > "$OUT" ]]',
    "rm=1; ((rm * 2))",
    "rm=1; ((rm))",
    "i=1; ((i > 3))",
    "i=1; ((i++ + rm))",
    "((g++))",
    "ls &> out x",
    "ls &>> out; (( $X ))",
    "coproc rm x",
    "coproc { rm x; }",
    "{f}> out ls",
    "time { rm x; }",
    "A=(ls)rm x",
    "cat $[1 + 2]",
    "cat `echo \\`rm x\\``",
    "ls \\\r\nrm x",
    "ls ?(rm x)",
    "cat <<$'E'\n$(rm x)\nE",
    "cat ~+/x",
    "cat ~-/x",
    "cat ~bob/x",
    "X=~bob/x; cat $X",
    '{ ls; } > "$OUT"',
    "ls >! out",
    "cat =ls",
    "noglob rm x",
    "repeat 3 rm x",
    "- rm x",
    "shopt -s dotglob; cat *",
    "shopt -s nocaseglob; cat s*",
    "setopt globdots; cat *",
    "GLOBIGNORE=x; cat *",
    "X=s*/k; cat $X",
    "cat $(echo s*)/k",
    "(ls) > $OUT",
  ])("in %j keeps an allow from standing", (command) => {
    const { units } = analyzeShell(command);
    expect(units.some(({ floor }) => floor !== null)).toBe(true);
  });

  it.each([
    "git commit -m $'one\\n\\ntwo'",
    "IFS=$'\\n' read -r X",
    "grep $'\\t' a",
    "ls &> out",
    "ls |& grep x",
    "grep x <<< y",
    "diff <(ls a) <(ls b)",
    "echo ${X:1:2} ${X//a/b}",
    "function f { ls; }; f",
    "select x in a b; do ls; done",
    "case a in b) ls ;; c) ls;; esac",
    "[[ -n a && -f b || ! -d c ]]",
    "[[ $X =~ ^(a|b)$ ]]",
    "i=0; ((i++)); ((i+=1)); (( --i )); ls",
    "A=(a b c); ls",
    "ls {a,b}",
    "ls \\\n -l",
  ])("is none in %j", (command) => {
    expect(new Set(floorsOf(command))).toEqual(new Set([null]));
  });
});

describe("what only the run time knows", () => {
  it.each(["$CMD x", "/bin/r? x", "{rm,x}", "~bob/x", '"$(a)" x'])(
    "as the name of a command, in %j, keeps an allow from standing",
    (command) => {
      expect(floorsOf(command)[0]).toBe(UNPARSED);
    },
  );

  it.each([
    "cat $X",
    "cat {a}b,c}",
    "cat {a,{b,c}}",
    'cat "$DIR/key"',
    "rm -rf $(cat list)",
    'ls > "$OUT"',
    "echo x > $OUT",
    "if a; then X=b; fi; cat $X",
    "X=a; read X; cat $X",
    "X=-exec; find . $X rm y",
    "IFS=x; X=a; cat $X",
    "f() { cat $1; }",
    "cd $X && ls",
    "source $X",
  ])("as a path, in %j, keeps an allow from standing", (command) => {
    expect(floorsOf(command)).toContain(UNPARSED);
  });

  it.each([
    "echo $X",
    "X=a; cat $X",
    'for f in *.ts; do wc "$f"; done',
    "cat $HOME/x",
    "ls -l $PWD",
    "kill $(cat pid)",
    "tail -n $((3 + 4)) x",
    "git log $(git merge-base main HEAD)",
    "curl https://example.com/$X",
    'git commit -m "fix things: $X"',
    "docker run --workdir=$(pwd)/app x",
  ])("is no path in %j", (command) => {
    expect(new Set(floorsOf(command))).toEqual(new Set([null]));
  });
});

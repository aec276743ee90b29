import { describe, expect, it } from "vitest";
import { analyzeShell } from "../../../src/shell/analyze-shell.ts";

const told = (command: string) =>
  analyzeShell(command).paths.map(({ text, direction }) => `${direction ?? "either"} ${text}`);

describe("the path tokens of a command", () => {
  it.each([
    ["cat secrets/key", ["read secrets/key"]],
    ["cat key", ["read key"]],
    ["rm -rf ../x .env", ["either ../x", "either .env"]],
    ["cp a.txt /tmp/b", ["either a.txt", "either /tmp/b"]],
    ["cat ~/x '/a b/c'", ["read ~/x", "read /a b/c"]],
    ["tar --file=/x/a.tar -C/y", ["either /x/a.tar", "either /y"]],
    ["dd if=/dev/zero of=out.img", ["either /dev/zero", "either out.img"]],
    ["./build.sh fast", ["read ./build.sh"]],
    ["cat '~/x' \\$HOME/x a=/b", ["read ./~/x", "read ./$HOME/x", "read a=/b"]],
    ["ls > /tmp/out", ["write /tmp/out"]],
    ["ls 2>>err.log", ["write err.log"]],
    ["sort < in.txt", ["read in.txt"]],
    ["ls > out -la", ["write out"]],
    ["{ ls; } > out", ["write out"]],
    ["> out", ["write out"]],
    ["ls; cat /etc/passwd", ["read /etc/passwd"]],
    ["curl https://example.com/a file:///etc/x", ["either file:///etc/x"]],
    ["git push origin main", []],
    ["git commit -m '$5 more' -m $'a\\nb'", []],
    ["make -j4 lint", []],
    ["ls 2>/dev/null >&2", []],
    ["cat <<EOF\n/etc/x\nEOF", []],
  ])("%j are %j", (command, expected) => {
    expect(told(command)).toEqual(expected);
  });

  it.each([
    ["X=secrets/key; cat $X", "read secrets/key"],
    ['X=secrets; cat "$X/key"', "read secrets/key"],
    ['for f in a.txt /etc/b; do cat "$f"; done', "read /etc/b"],
    ["cat {secrets,x}/key", "read secrets/key"],
    ["cat $PWD/x", "read ./x"],
    ['cat "$HOME/x"', "read $HOME/x"],
    ["cat $'s\\x2fk'", "read s/k"],
    ["cat $'s\\x2fk'", "read $s\\x2fk"],
    ["X=k; cat x$'\\x2f'$X", "read x/k"],
    ["X=k; cat x$'\\x2f'$X", "read x$\\x2fk"],
    ["cat {s,t}/k", "read {s,t}/k"],
    ["X=$'k'; cat $X", "read $k"],
    ["ls &> $'out'", "write $out"],
    ["[[ a > s/k ]]", "write s/k"],
    ["[[ a < s/k ]]", "read s/k"],
  ])("hold what %j puts in: %j", (command, path) => {
    expect(told(command)).toContain(path);
  });

  it.each([
    ["cd secrets && cat key", "read secrets/key"],
    ["cd /etc; cat passwd", "read /etc/passwd"],
    ["cd a && cd b && rm x", "either a/b/x"],
  ])("follow the folder of %j: %j", (command, path) => {
    expect(told(command)).toContain(path);
  });

  it.each([
    ["sudo cat key", "read key"],
    ["bash -c 'cat secrets/key'", "read secrets/key"],
    ["trap 'rm secrets/key' EXIT", "either secrets/key"],
  ])("reach into what %j runs: %j", (command, path) => {
    expect(told(command)).toContain(path);
  });

  it.each([
    ["cat s*/k", "s*/k"],
    ["cat 's*'/?", "s\\*/?"],
    ["grep x s*", "s*"],
    ["cd s* && cat k", "s*/k"],
    ["cd 's[' && cat k*", "s\\[/k*"],
    ["for f in s*/k; do cat $f; done", "s*/k"],
    ["cat {s*,t}/k", "s*/k"],
    ["sudo cat s*", "s*"],
    ["cat < s*", "s*"],
    ["cat $HOME/*", "$HOME/*"],
  ])("hold the pattern of %j: %j", (command, pattern) => {
    expect(analyzeShell(command).paths.map(({ glob }) => glob)).toContain(pattern);
  });

  it.each(["cat 's*'", 'cat "s*"', "cat s\\*", "cat a[b", "echo s*", "X='s*'; cat \"$X\""])(
    "hold no pattern of %j",
    (command) => {
      expect(analyzeShell(command).paths.filter(({ glob }) => glob !== undefined)).toEqual([]);
    },
  );

  it("stop at a number that can be judged", () => {
    const many = Array.from({ length: 3000 }, (_, i) => `a/${i}`).join(" ");
    const { paths, units } = analyzeShell(`ls ${many}`);
    expect(paths).toHaveLength(1000);
    expect(units[0]?.floor).toBe("<unparseable-bash-command>");
  });
});

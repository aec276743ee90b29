import { describe, expect, it } from "vitest";
import { pathsOf } from "../../../src/shell/path-tokens.ts";

const told = (command: string) =>
  pathsOf(command).map(({ text, direction }) => `${direction ?? "either"} ${text}`);

describe("the path tokens of a command", () => {
  it.each([
    ["cat secrets/key", ["read secrets/key"]],
    ["rm -rf ../x .env", ["either ../x", "either .env"]],
    ["cp a.txt /tmp/b", ["either a.txt", "either /tmp/b"]],
    ["cat ~/x '/a b/c'", ["read ~/x", "read /a b/c"]],
    ["tar --file=/x/a.tar -C/y", ["either /x/a.tar", "either /y"]],
    ["dd if=/dev/zero of=out.img", ["either /dev/zero", "either out.img"]],
    ["./build.sh fast", ["read ./build.sh"]],
    ["ls > /tmp/out", ["write /tmp/out"]],
    ["ls 2>>err.log", ["write err.log"]],
    ["sort < in.txt", ["read in.txt"]],
    ["ls; cat /etc/passwd", ["read /etc/passwd"]],
    ["curl https://example.com/a file:///etc/x", ["either file:///etc/x"]],
    ["git push origin main", []],
    ["make -j4 lint", []],
  ])("%j are %j", (command, expected) => {
    expect(told(command)).toEqual(expected);
  });

  it("stop at a number that can be judged", () => {
    expect(
      pathsOf(`ls ${Array.from({ length: 3000 }, (_, i) => `a/${i}`).join(" ")}`),
    ).toHaveLength(1000);
  });
});

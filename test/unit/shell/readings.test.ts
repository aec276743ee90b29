import { describe, expect, it } from "vitest";
import { commandInside, otherReadings } from "../../../src/shell/readings.ts";

// A command inside another one that was understood is a unit of its own, not a reading.
describe("the other readings of a command", () => {
  it.each([
    ["'rm' x", "rm x"],
    ["r\\m x", "rm x"],
    ['"r"m x', "rm x"],
    ["$'\\x72\\155' x", "rm x"],
    ["r\\\nm x", "rm x"],
    ["/bin/rm   x", "rm x"],
    ["FOO='a b' rm x", "rm x"],
    ['git push --"force" origin', "git push --force origin"],
    ["ls; rm x", "rm x"],
    ["ls&&rm x", "rm x"],
    ["ls |& rm x", "rm x"],
    ["ls\r\nrm x", "rm x"],
    ["(rm x)", "rm x"],
    ["{ rm x; }", "rm x"],
    ["if true; then rm x; fi", "rm x"],
    ["case a in b) rm x;; esac", "rm x"],
    ["> out rm x", "rm x"],
    ["2>/dev/null rm x", "rm x"],
    ["echo it's; rm x", "rm x"],
    ["# it's\nrm x", "rm x"],
    ["echo $'a\\'b'; rm x", "rm x"],
    ["sudo rm x", "rm x"],
    ["sudo -u bob -- /bin/rm x", "rm x"],
    ["sudo -nu bob FOO=1 rm x", "rm x"],
    ["timeout -s KILL 5 rm x", "rm x"],
    ["env -i A=1 rm x", "rm x"],
    ["env -S 'rm x'", "rm x"],
    ["env --split-string='rm x'", "rm x"],
    ["xargs -I {} rm x", "rm x"],
    ["flock -w 3 /tmp/l rm x", "rm x"],
    ["flock /tmp/l -c 'rm x'", "rm x"],
    ["ssh -p 22 host rm x", "rm x"],
    ["ssh host 'ls; rm x'", "rm x"],
    ["watch -n 5 rm x", "rm x"],
    ["find . -exec ls {} + -exec rm x \\;", "rm x"],
    ["bash -c 'rm x'", "rm x"],
    ["bash -lc -- 'ls; rm x'", "rm x"],
    ["eval rm x", "rm x"],
    ["sudo bash -c 'nohup env A=1 /bin/rm x'", "rm x"],
    ["su bob -c 'rm x'", "rm x"],
    ["trap 'rm x' EXIT", "rm x"],
    ["alias y='ls; rm x'", "rm x"],
    ["bash <<EOF\nrm x\nEOF", "rm x"],
    ["git rebase -x 'rm x'", "rm x"],
    ["git submodule foreach rm x", "rm x"],
    ["rm x > out", "rm x"],
    ["rm > out x", "rm x"],
    ["{rm,x}", "rm x"],
    ['ls; rm x "', "rm x "],
    ["coproc N { rm x; }", "rm x"],
    ["time { rm x; }", "rm x"],
    ["noglob rm x", "rm x"],
    ["repeat 3 rm x", "rm x"],
  ])("of %j show %j", (command, reading) => {
    expect(otherReadings(command)).toContain(reading);
  });

  it.each([
    ["sudo echo rm x", "rm x"],
    ["echo rm x", "rm x"],
    ["echo 'a; rm x'", "rm x"],
    ['git commit -m "fix; rm x"', "rm x"],
    ["echo a\\; rm x", "rm x"],
    ["git commit -m 'fix #3; rm x'", "rm x"],
    ["echo $(rm x)", "rm x"],
    ["cat <<EOF\n$(rm x)\nEOF", "rm x"],
    ['bash -c "$CMD"', "$CMD"],
  ])("of %j do not show %j", (command, reading) => {
    expect(otherReadings(command)).not.toContain(reading);
  });

  it("never hold the text as it was written, nor anything for a text over the budget", () => {
    expect(otherReadings("ls -la")).toEqual([]);
    expect(otherReadings(`ls;${"x".repeat(64 * 1024)}`)).toEqual([]);
  });
});

describe("what runs inside a wrapper", () => {
  it.each([
    ["sudo rm x", "rm x"],
    ["sudo bash -c 'rm x'", "rm x"],
    ["timeout 5 sudo /bin/rm x", "/bin/rm x"],
    ["ls -la", null],
    ['bash -c "$CMD"', null],
    ["sudo ls && rm x", null],
  ])("of %j is %j", (command, inside) => {
    expect(commandInside(command)).toBe(inside);
  });

  it("is found for wrappers nested without end in time", () => {
    expect(commandInside("sudo ".repeat(10_000))).toMatch(/^sudo/);
  });
});

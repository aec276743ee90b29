import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { commandLink } from "../../../src/chain/command-link.ts";
import { LinkVacantError } from "../../../src/chain/link-failure.ts";
import { askOf } from "../../support/link-details.ts";
import { lives, pidIn } from "../../support/process-lives.ts";
import { tempFolder } from "../../support/temp-folder.ts";
import { until } from "../../support/until.ts";

const PATH = process.env["PATH"] ?? "";

/** A link whose program is a line of shell. */
function shellLink(script: string, cwd = "/", options = {}) {
  return commandLink({
    name: "judge",
    command: ["/bin/sh", "-c", script],
    cwd,
    env: { PATH },
    options,
  });
}

describe("a link that is a program", () => {
  test("reads one question and its verdict counts", async () => {
    using folder = tempFolder();
    const link = shellLink(
      `cat > question.json; echo '{"kind":"deny","reason":"not today"}'`,
      folder.path,
      { level: 3 },
    );
    await expect(askOf(link, "make lint")).resolves.toEqual({ kind: "deny", reason: "not today" });
    const question: unknown = JSON.parse(readFileSync(join(folder.path, "question.json"), "utf8"));
    expect(question).toMatchObject({
      v: 1,
      link: "judge",
      options: { level: 3 },
      details: { requestId: "perm-1", accessIntent: { matchValues: ["make lint"] } },
    });
  });

  test("may answer without reading the question", async () => {
    await expect(askOf(shellLink(`exec 0<&-; echo '{"kind":"allow"}'`))).resolves.toEqual({
      kind: "allow",
    });
  });

  test("sees its own environment and nothing of the program that asks", async () => {
    const link = shellLink(
      `test "$(env | grep -v -e ^PATH= -e ^PWD= -e ^SHLVL= -e ^_= )" = "" && echo '{"kind":"allow"}'`,
    );
    await expect(askOf(link)).resolves.toEqual({ kind: "allow" });
  });

  test("takes its arguments as they are: no shell reads them", async () => {
    using folder = tempFolder();
    const link = commandLink({
      name: "judge",
      command: ["/bin/echo", '{"kind":"deny","reason":"$(touch x); `touch x`"}'],
      cwd: folder.path,
      env: { PATH },
      options: {},
    });
    await expect(askOf(link)).resolves.toEqual({
      kind: "deny",
      reason: "$(touch x); `touch x`",
    });
    expect(existsSync(join(folder.path, "x"))).toBe(false);
  });

  test.each([
    ["ends with a code", `echo '{"kind":"allow"}'; exit 3`, "exit code 3"],
    ["is ended by a signal", `echo '{"kind":"allow"}'; kill -TERM $$`, "signal SIGTERM"],
    ["says nothing", "true", "nothing"],
    ["says no JSON", "echo allow", "one JSON value"],
    ["says two values", `echo '{"kind":"deny"}'; echo '{"kind":"allow"}'`, "one JSON value"],
    ["says two verdicts in one", `echo '{"kind":"deny","kind":"allow"}'`, "twice"],
    ["says another verdict", `echo '{"kind":"block"}'`, "neither allow nor deny nor defer"],
    ["says no text", `printf '\\377\\376'`, "UTF-8"],
    ["floods its output", "yes", "more than 65536 bytes"],
  ])("fails and never allows when it %s", async (_, script, why) => {
    await expect(askOf(shellLink(script))).rejects.toThrow(why);
  });

  test("is vacant when the program is not there", async () => {
    const link = commandLink({
      name: "judge",
      command: ["/nonexistent/judge"],
      cwd: "/",
      env: {},
      options: {},
    });
    await expect(askOf(link)).rejects.toThrow(LinkVacantError);
  });

  test("is killed with all it started when the ask is taken back, however deaf it is", async () => {
    using folder = tempFolder();
    const script = `trap '' TERM INT HUP; (trap '' TERM; while :; do sleep 0.05; done) & echo $! > inner; echo $$ > outer; while :; do sleep 0.05; done`;
    const link = shellLink(script, folder.path);
    const abort = new AbortController();
    const asked = link.judge({} as never, {} as never, {} as never, abort.signal);
    const pids = [
      await until("the inner one runs", () => pidIn(join(folder.path, "inner"))),
      await until("the outer one runs", () => pidIn(join(folder.path, "outer"))),
    ];
    abort.abort(new Error("the deadline is over"));
    await expect(asked).rejects.toThrow("the deadline is over");
    await until("both processes are gone", () => pids.every((pid) => !lives(pid)));
  });

  test("answers although what it started lives on and holds its output", async () => {
    using folder = tempFolder();
    const script = `sleep 60 & echo $! > inner; echo '{"kind":"deny"}'`;
    await expect(askOf(shellLink(script, folder.path))).resolves.toEqual({ kind: "deny" });
    const inner = Number(readFileSync(join(folder.path, "inner"), "utf8"));
    await until("what it started is gone", () => !lives(inner));
  });

  test("answers although what left its group holds its output", async () => {
    using folder = tempFolder();
    const script = `setsid sh -c 'echo $$ > inner; exec sleep 5' & while ! test -s inner; do sleep 0.02; done; echo '{"kind":"deny"}'`;
    await expect(askOf(shellLink(script, folder.path))).resolves.toEqual({ kind: "deny" });
    process.kill(Number(readFileSync(join(folder.path, "inner"), "utf8")), "SIGKILL");
  });

  test("runs in eight processes at most, and the others wait their turn", async () => {
    using folder = tempFolder();
    mkdirSync(join(folder.path, "now"));
    writeFileSync(join(folder.path, "most"), "");
    const script = `touch now/$$; ls now | wc -l >> most; sleep 0.05; rm now/$$; echo '{"kind":"defer"}'`;
    const link = shellLink(script, folder.path);
    const all = await Promise.all(Array.from({ length: 24 }, async () => askOf(link, "x", 20_000)));
    expect(all).toHaveLength(24);
    const seen = readFileSync(join(folder.path, "most"), "utf8").trim().split("\n").map(Number);
    expect(seen).toHaveLength(24);
    expect(Math.max(...seen)).toBeLessThanOrEqual(8);
  });
});

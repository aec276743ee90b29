import { describe, expect, it } from "vitest";
import { runCommandUntil } from "../../../src/cli/server/run-command.ts";

const run = runCommandUntil();
const node = async (program: string, limitMs?: number): ReturnType<typeof run> =>
  run(process.execPath, ["-e", program], limitMs === undefined ? {} : { limitMs });

const timers = (): number =>
  process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length;

describe("a command that is run", () => {
  it("gives its exit code and both outputs", async () => {
    expect(await node('console.log("out"); console.error("err"); process.exit(3)')).toEqual({
      code: 3,
      stdout: "out\n",
      stderr: "err\n",
    });
  });

  it("gives no code when it is not there, and keeps nothing running", async () => {
    const before = timers();
    const result = await run("/nowhere/askfabric-missing", ["--version"]);
    expect(result).toMatchObject({ code: null, stdout: "" });
    expect(result.stderr).toContain("ENOENT");
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("is ended at its limit", async () => {
    expect(await node("setTimeout(() => null, 60_000)", 50)).toMatchObject({ code: null });
  });

  it("is ended when it is told to", async () => {
    const stop = new AbortController();
    const result = runCommandUntil(stop.signal)(process.execPath, [
      "-e",
      "setInterval(() => 0, 9)",
    ]);
    stop.abort();
    expect(await result).toMatchObject({ code: null });
  });

  it("gets no input and keeps the end of a long output", async () => {
    const { code, stdout } = await node(
      'process.stdin.resume(); process.stdin.on("end", () => console.log("x".repeat(99_999) + "end"))',
    );
    expect(code).toBe(0);
    expect(stdout.length).toBe(65_536);
    expect(stdout.endsWith("end\n")).toBe(true);
  });
});

import { describe, expect, it } from "vitest";
import { openLog, readLogLevel } from "../../../src/cli/log.ts";

async function written(
  say: (log: ReturnType<typeof openLog>) => void,
  level: "info" | "silent" = "info",
): Promise<string[]> {
  const lines: string[] = [];
  const log = openLog({ level, write: (text) => lines.push(text) });
  say(log);
  await log.flush();
  return lines;
}

describe("the log of a program", () => {
  it("writes one JSON object an entry, in order", async () => {
    const lines = await written((log) => {
      log.info({ requestId: "perm-1" }, "first");
      log.error({}, "second");
    });
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: "info", requestId: "perm-1", msg: "first" },
      { level: "error", msg: "second" },
    ]);
  });

  it("says nothing that a screen would obey", async () => {
    const fields = { child: "\u009b1A\u202e", "\u007f": 1 };
    const [line = ""] = await written((log) => log.warn(fields, "\u009b2J"));
    expect(line).toMatch(/^[\x20-\x7e]*\n$/);
    expect(JSON.parse(line)).toMatchObject({ ...fields, msg: "\u009b2J" });
  });

  it("keeps to its level", async () => {
    expect(await written((log) => log.debug({}, "x"))).toEqual([]);
    expect(await written((log) => log.error({}, "x"), "silent")).toEqual([]);
  });

  it("never writes a secret", async () => {
    const fields = { nonce: "n0nce", token: "t0ken", ask: { nonce: "n0nce", proof: "pr00f" } };
    const [line] = await written((log) => log.warn(fields, "x"));
    expect(line).not.toMatch(/n0nce|t0ken|pr00f/);
  });

  it("writes an error as its message, without a stack", async () => {
    const lines = await written((log) => log.error({ error: new Error("disk full") }, "x"));
    expect(JSON.parse(lines.join(""))).toMatchObject({ error: "disk full" });
  });

  it("refuses a level it does not know, by its value", () => {
    expect(() => readLogLevel("loud", "info")).toThrow(
      'log level "loud" is not known; use one of debug, info, warn, error, silent',
    );
    expect([
      readLogLevel(undefined, "info"),
      readLogLevel("", "warn"),
      readLogLevel("debug", "info"),
    ]).toEqual(["info", "warn", "debug"]);
  });
});

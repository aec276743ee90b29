import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import type { JsonFigure } from "../../bench/frame/report.ts";

const BENCH = fileURLToPath(new URL("../../bench/bench.ts", import.meta.url));

async function bench(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [BENCH, "--quick", ...args]);
  return stdout;
}

describe("the bench", () => {
  it("prints one JSON object with a figure for each row that was asked for", async () => {
    const printed = await bench("--json", "--only", "ask-1-off", "--only", "ask-256-spool");
    const figures = JSON.parse(printed) as Record<string, JsonFigure>;
    expect(Object.keys(figures)).toEqual(["ask-1-off", "ask-256-spool"]);
    expect(figures["ask-1-off"]?.unit).toBe("ms");
    expect(figures["ask-256-spool"]?.unit).toBe("asks/s");
    for (const { value, baseline, ratio } of Object.values(figures)) {
      expect(value).toBeGreaterThan(0);
      expect(baseline).toBeGreaterThan(0);
      expect(ratio).toBeGreaterThan(0);
    }
  });

  it("prints a table with a line for the row that was asked for", async () => {
    expect(await bench("--only", "ask-1-spool")).toMatch(/^\| ask-1-spool +\| ms +\| [\d.]+ · /m);
  });
});

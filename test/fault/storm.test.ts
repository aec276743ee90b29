import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";

const STORM = fileURLToPath(new URL("../../storm/storm.ts", import.meta.url));

async function storm(...args: readonly string[]): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [STORM, ...args]);
    return stdout;
  } catch (error) {
    const { stdout, stderr } = error as { readonly stdout: string; readonly stderr: string };
    throw new Error(`${stdout}\n${stderr}`, { cause: error });
  }
}

describe("a storm over real processes", () => {
  it("loses, doubles, misdelivers and contradicts nothing, whatever strikes", async () => {
    const said = await storm("--asks", "40", "--fault", "mix", "--seed", "5");
    expect(said).toContain("mix: seed 5, nats-server ");
    expect(said).toMatch(/^asks 40 lost 0 doubled 0 misdelivered 0 divergent 0 reprompted \d+$/m);
  }, 150_000);

  it("names the faults there are when it is told another", async () => {
    await expect(storm("--fault", "rain")).rejects.toThrow(
      "--fault names rain; the faults are none,",
    );
  });
});

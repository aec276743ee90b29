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

const NOTHING_WRONG = "lost 0 doubled 0 misdelivered 0 divergent 0 reprompted";

const isRoot = process.getuid?.() === 0 && process.platform === "linux";
if (!isRoot) process.stderr.write("skipped: machines of their own need root, for a cluster\n");

describe("a storm over real processes", () => {
  it("loses, doubles, misdelivers and contradicts nothing, whatever strikes", async () => {
    const said = await storm("--asks", "40", "--fault", "mix", "--seed", "5");
    expect(said).toContain("mix: seed 5, nats-server ");
    expect(said).toContain(`asks 40 ${NOTHING_WRONG}`);
  }, 240_000);

  it("passes over a leaf node whose link is cut", async () => {
    const flags = ["--asks", "30", "--fault", "cut-leaf", "--seed", "5", "--topology", "leaf"];
    expect(await storm(...flags)).toContain(`asks 30 ${NOTHING_WRONG}`);
  }, 240_000);

  it("passes over a relay that is killed", async () => {
    const flags = ["--asks", "30", "--fault", "kill-relay", "--seed", "5", "--topology", "relay"];
    expect(await storm(...flags)).toContain(`asks 30 ${NOTHING_WRONG}`);
  }, 240_000);

  it.runIf(isRoot)(
    "passes over a cluster set up by the files of deploy, whose servers end one by one",
    async () => {
      const flags = ["--asks", "30", "--fault", "lame-duck", "--seed", "5", "--topology", "r3"];
      expect(await storm(...flags)).toContain(`asks 30 ${NOTHING_WRONG}`);
    },
    240_000,
  );

  it("names the faults there are when it is told another", async () => {
    const said = storm("--fault", "rain");
    await expect(said).rejects.toThrow("--fault names rain; the faults are none,");
  });
});

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { MODES } from "../../src/access/roster.ts";
import { testServer } from "../support/nats-servers.ts";

const ATTACKS = fileURLToPath(new URL("../../attacks/attacks.ts", import.meta.url));

it.each(MODES)(
  "every attack on a fleet set up by %s is refused, and each act works for one who may",
  async (mode) => {
    const { command } = await testServer();
    const args = [ATTACKS, "--mode", mode, "--server", command];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [, attempts, refused, granted] = (
      /attempts (\d+) refused (\d+); with the right granted (\d+) had/.exec(stdout) as string[]
    ).map(Number);
    expect(attempts).toBeGreaterThan(71);
    expect([refused, granted]).toEqual([attempts, attempts]);
  },
  120_000,
);

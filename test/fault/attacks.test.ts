import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { modesOf } from "../support/issued-fleet.ts";
import { allServers } from "../support/nats-servers.ts";

const ATTACKS = fileURLToPath(new URL("../../attacks/attacks.ts", import.meta.url));

const setUps = (await allServers()).flatMap((program) =>
  modesOf(program).map((mode) => ({
    mode,
    server: program.command,
    version: program.version.text,
  })),
);
if (!setUps.some(({ mode }) => mode === "callout")) {
  process.stderr.write("skipped: attacks on callout, which no nats-server here knows; 2.10 does\n");
}

it.each(setUps)(
  "every attack on a fleet set up by $mode on nats-server $version is refused, and each act works for one who may",
  async ({ mode, server }) => {
    const args = [ATTACKS, "--mode", mode, "--server", server];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const [, attempts, refused, granted] = (
      /attempts (\d+) refused (\d+); with the right granted (\d+) had/.exec(stdout) as string[]
    ).map(Number);
    expect(attempts).toBeGreaterThan(71);
    expect([refused, granted]).toEqual([attempts, attempts]);
  },
  120_000,
);

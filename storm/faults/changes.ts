import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOpen } from "../asks/call.ts";
import { lookAtStream } from "../nodes/stream.ts";
import { type Scene, STREAM_BYTES } from "../scene.ts";
import type { StormFault, Strike } from "./fault.ts";

const ACTIONS = ["allow", "deny", "ask"] as const;

/** The smallest stream there may be. */
const LEAST_BYTES = 1024 * 1024;

/** What people change while asks travel. */
export const CHANGES: readonly StormFault[] = [
  {
    name: "rules",
    kinds: ["swing"],
    strike: async ({ scene, random, fired, pause }) => {
      const action = random.pick(ACTIONS);
      const rules = JSON.parse(readFileSync(scene.rules, "utf8")) as {
        readonly permission: { readonly bash: Record<string, unknown> };
      };
      rules.permission.bash["swing *"] = action;
      writeFileSync(scene.rules, JSON.stringify(rules));
      fired(`the parent's rule of swing is ${action}`);
      await pause(200, 1_200);
    },
  },
  {
    name: "grants",
    kinds: ["grant"],
    strike: async ({ scene, fired, pause }) => {
      await pause(400, 1_200);
      const revoked = await revokeAll(scene);
      if (revoked > 0) fired(`revoked ${String(revoked)} grants`);
    },
  },
  {
    name: "full",
    strike: async ({ scene, fired, pause }) => {
      await fill(scene);
      const secret = join(scene.folder, "secrets", "provisioner.secret");
      const bytes = (await lookAtStream([scene.topology.url()], secret))?.bytes;
      if (bytes === undefined) return pause(200, 400);
      const limit = Math.max(bytes, LEAST_BYTES);
      const { code } = await scene.change("--stream-bytes", String(limit));
      // More came in meanwhile: a limit below what it holds is refused.
      if (code !== 0) return pause(20, 50);
      fired("the audit stream is full");
      await pause(500, 4_000);
      await scene.provision("--change", "--stream-bytes", String(STREAM_BYTES));
      await pause(500, 2_000);
    },
  },
];

/** Second processes of one session. */
export const OF_PROCESSES: readonly StormFault[] = [
  {
    name: "two-children",
    strike: twoChildren,
  },
  {
    name: "takeover",
    strike: async ({ scene, fired, pause }) => {
      fired("started a second process of lead, which takes over");
      await scene.lead.succeed();
      await pause(300, 1_500);
    },
  },
];

const filled = new WeakSet<Scene>();

/** Has a session of its own leave more records than the smallest stream holds. */
async function fill(scene: Scene): Promise<void> {
  if (filled.has(scene)) return;
  filled.add(scene);
  const command = `haul ${"y".repeat(900)}`;
  const calls = Array.from({ length: 600 }, (_, id) => ({
    id,
    toolName: "bash",
    input: { command },
  }));
  const nobody = ["child", "--session", "filler", "--parent", "filler"];
  const { code } = await scene.run([...nobody, ...scene.asking], calls);
  if (code !== 0) throw new Error(`the session that fills the stream ended with ${String(code)}`);
}

async function revokeAll({ data, run }: Scene): Promise<number> {
  let revoked = 0;
  for (const folder of [data.lead, data.child]) {
    const { said } = await run(["grants", "revoke", "--all", "--json", "--data", folder]);
    revoked += said.split("\n").filter((line) => line.startsWith('{"revoked"')).length;
  }
  return revoked;
}

/** A second process of a session is given calls beside the first, and ends in order or is killed. */
async function twoChildren({ scene, random, fired, pause }: Strike): Promise<void> {
  const { twin } = scene;
  fired("started a second process of worker-1");
  await twin.start();
  await pause(1_000, 2_500);
  if (random.next() < 0.7) {
    fired("killed the second process of worker-1");
    await twin.kill();
    await pause(0, 500);
    // What the killed one left open is ended by the next.
    await twin.start();
    await pause(300, 1_000);
  }
  twin.takes = false;
  const process = `${twin.name}.${String(twin.starts())}`;
  while (scene.feed.calls.some((call) => call.process === process && isOpen(call))) {
    await pause(50, 100);
  }
  await twin.end("input");
}

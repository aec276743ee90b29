import { parseArgs } from "node:util";
import { MODES, type Mode } from "../src/access/roles.ts";
import type { NatsProgram } from "../src/cli/server/nats-program.ts";
import { modesOf } from "../test/support/issued-fleet.ts";
import { allServers, serverAt } from "../test/support/nats-servers.ts";
import { type AskScene, openAskScene } from "./ask-scene.ts";
import { ON_ASKS } from "./attempts/asks.ts";
import { ON_CONNECTIONS } from "./attempts/connections.ts";
import { ON_STREAMS } from "./attempts/streams.ts";
import { ON_SUBJECTS } from "./attempts/subjects.ts";
import { type AttackedFleet, openAttackedFleet } from "./fleet.ts";

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Makes every attempt against one set-up; true when all were refused and each act is one that works. */
async function attack(program: NatsProgram, mode: Mode): Promise<boolean> {
  await using fleet: AttackedFleet = await openAttackedFleet(program, mode);
  await using scene: AskScene = await openAskScene(fleet);
  const attempts = [
    ...ON_ASKS.map(({ run, ...of }) => ({ ...of, run: async () => run(fleet, scene) })),
    ...[...ON_SUBJECTS, ...ON_CONNECTIONS, ...ON_STREAMS].map(({ run, ...of }) => ({
      ...of,
      run: async () => run(fleet),
    })),
  ];
  let refused = 0;
  let sound = 0;
  for (const { what, by, run } of attempts) {
    const outcome = await run();
    if (outcome.refused) refused += 1;
    else say(`  not refused: ${by}: ${what}`);
    if (outcome.control) sound += 1;
    else say(`  shows nothing, since it has no effect for one who may: ${by}: ${what}`);
  }
  const all = attempts.length;
  say(
    `${mode} on nats-server ${program.version.text}: attempts ${String(all)} refused ${String(refused)}; with the right granted ${String(sound)} had their effect`,
  );
  return refused === all && sound === all;
}

/**
 * Tries what credentials do not allow, in each set-up, and checks beside each attempt that the same act has its effect
 * when somebody does it who may. Usage: `npm run attacks -- --mode MODE --server PATH|all`.
 */
async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: { mode: { type: "string" }, server: { type: "string", default: "all" } },
  });
  const wanted = MODES.filter((mode) => values.mode === undefined || mode === values.mode);
  if (wanted.length === 0) throw new RangeError(`--mode is ${MODES.join(", ")}`);
  const programs = values.server === "all" ? await allServers() : [await serverAt(values.server)];
  let held = true;
  for (const program of programs) {
    const known = modesOf(program);
    for (const mode of wanted.filter((one) => !known.includes(one))) {
      say(`${mode} on nats-server ${program.version.text}: not tried, since that server lacks it`);
    }
    for (const mode of wanted.filter((one) => known.includes(one)))
      held = (await attack(program, mode)) && held;
  }
  return held;
}

try {
  process.exitCode = (await main(process.argv.slice(2))) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
}

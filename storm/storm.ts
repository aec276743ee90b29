import { parseArgs } from "node:util";
import { serverAt } from "../test/support/nats-servers.ts";
import type { StormFault } from "./faults/fault.ts";
import { faultsOf, mixOf } from "./faults/faults.ts";
import { closingLine, failuresOf } from "./report.ts";
import { runFaults } from "./run-fault.ts";
import { openScene } from "./scene.ts";
import { openLeaf } from "./topologies/leaf.ts";
import { openR3 } from "./topologies/r3.ts";
import { openPair, openRelay, openSingle } from "./topologies/single.ts";
import type { OpenTopology } from "./topologies/topology.ts";

const TOPOLOGIES: Readonly<Record<string, OpenTopology>> = {
  single: openSingle,
  r3: openR3,
  leaf: openLeaf,
  relay: openRelay,
  pair: openPair,
};

const say = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** One fault by name, `none` for calm weather, `mix` for all of them by chance. */
interface Plan {
  readonly name: string;
  readonly weathers: readonly (readonly StormFault[])[];
}

function plansOf(name: string, topology: string): readonly Plan[] {
  const faults = faultsOf(topology);
  if (name === "none") return [{ name, weathers: [] }];
  if (name === "mix") return [{ name, weathers: mixOf(topology) }];
  const named = faults.filter((fault) => name === "all" || fault.name === name);
  if (named.length > 0) return named.map((fault) => ({ name: fault.name, weathers: [[fault]] }));
  const known = ["none", ...faults.map((one) => one.name), "mix", "all"].join(", ");
  throw new RangeError(`--fault names ${name}; the faults are ${known}`);
}

/**
 * Puts asks through real processes while faults strike, and checks that each has one true end. Usage:
 * `npm run storm -- --asks N --fault NAME|mix|all|none --seed S`, `--server PATH` and `--topology NAME`.
 */
async function main(args: readonly string[]): Promise<boolean> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      asks: { type: "string", default: "240" },
      fault: { type: "string", default: "mix" },
      seed: { type: "string", default: String(Math.floor(Math.random() * 2 ** 31)) },
      server: { type: "string" },
      topology: { type: "string", default: "single" },
    },
  });
  const asks = Number(values.asks);
  const seed = Number(values.seed);
  const program = await serverAt(values.server ?? null);
  const open = TOPOLOGIES[values.topology];
  if (open === undefined) {
    throw new RangeError(`--topology is ${Object.keys(TOPOLOGIES).join(", ")}`);
  }
  let held = true;
  for (const { name, weathers } of plansOf(values.fault, values.topology)) {
    say(`${name}: seed ${String(seed)}, nats-server ${program.version.text}, ${values.topology}`);
    await using scene = await openScene({ seed, program, open });
    const result = await runFaults({ scene, asks, weathers, say });
    const named = weathers.length === 1 ? [name] : [];
    const failures = failuresOf(result, asks, named);
    for (const failure of failures) say(`  ${failure}`);
    if (failures.length > 0) {
      scene.keep();
      say(`  what is left of it stands in ${scene.folder}`);
      held = false;
    }
    const { neverAsked, unrecorded, records } = result.verdict;
    const struck = [...result.fired].map(([fault, times]) => `${fault} ${String(times)}`);
    say(
      `struck: ${struck.join(", ") || "nothing"}; records ${String(records)}; never read by a killed process ${String(neverAsked)}; by rule and without a record at the parent ${String(unrecorded)}`,
    );
    say(closingLine(result));
  }
  return held;
}

// What was started ends with this process when that ends in order.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.once(signal, () => process.exit(1));
}

try {
  if (!(await main(process.argv.slice(2)))) process.exitCode = 1;
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  // A scene that did not open leaves servers and links behind: they go with this process.
  process.exit(1);
}

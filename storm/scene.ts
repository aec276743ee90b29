import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NatsProgram } from "../src/cli/server/nats-program.ts";
import { isReady, type RunningProgram, runProgram } from "../test/support/askfabric.ts";
import { type Feed, openFeed } from "./asks/feed.ts";
import { openPerson, type Person } from "./asks/person.ts";
import { type Node, planNode } from "./nodes/node.ts";
import { makeSecrets } from "./nodes/server.ts";
import { randomOf } from "./random.ts";
import type { OpenTopology, Topology } from "./topologies/topology.ts";
import { openWire, type Wire } from "./wire/wire.ts";

/** The session that is asked. */
export const LEAD = "lead";

/** The session between children and {@link LEAD}, where there is one. */
export const MIDDLE = "middle";

/** The session that children ask when nobody serves {@link LEAD}, where there is one. */
const SPARE = "spare";

/** The sessions that ask. */
export const CHILDREN = ["worker-1", "worker-2"] as const;

/** What a command came to. */
export interface Ran {
  readonly code: number | string;
  /** All that it wrote. */
  readonly said: string;
}

/** Everything that runs during a storm. Leaving its scope ends it. */
export interface Scene extends AsyncDisposable {
  readonly seed: number;
  readonly topology: Topology;
  readonly lead: Node;
  /** The session between; null where children ask the lead. */
  readonly middle: Node | null;
  /** The session that is asked in the place of the lead; null where there is none. */
  readonly spare: Node | null;
  readonly sink: Node;
  readonly children: readonly Node[];
  /** A second process of the first child's session. */
  readonly twin: Node;
  readonly feed: Feed;
  readonly person: Person;
  /** Data folders, by machine. */
  readonly data: Readonly<Record<"lead" | "middle" | "child" | "sink", string>>;
  /** File of the store. */
  readonly store: string;
  /** The rules of the parent, which may be written anew. */
  readonly rules: string;
  readonly folder: string;
  /** What went otherwise than a fault explains. */
  readonly surprises: string[];
  /** Flags of a further session beside the children. */
  readonly asking: readonly string[];
  /** Runs one command to its end, with these lines as its input. */
  readonly run: (args: readonly string[], lines?: readonly object[]) => Promise<Ran>;
  /** Makes or changes the audit stream, again and again until the server does it. */
  provision(...args: readonly string[]): Promise<void>;
  /** Tries to change the audit stream, once. */
  change(...args: readonly string[]): Promise<Ran>;
  /** Leaves the folder where it is when the scope is left. */
  keep(): void;
}

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Stream large enough for a storm, in bytes. */
export const STREAM_BYTES = 256 * 1024 * 1024;

/** How long a server that is struck itself may refuse a change of its stream, in milliseconds. */
const PROVISION_MS = 60_000;

/** Starts the servers, the sink, the parent and its children, and waits until each is ready. */
export async function openScene(parts: {
  readonly seed: number;
  readonly program: NatsProgram;
  readonly open: OpenTopology;
}): Promise<Scene> {
  const { seed } = parts;
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "askfabric-storm-")));
  const at = (...names: readonly string[]): string => join(folder, ...names);
  for (const name of ["lead", "middle", "child", "sink"]) mkdirSync(at(name), { mode: 0o700 });
  const secrets = makeSecrets(at("secrets"));
  const topology = await parts.open({ folder, program: parts.program, secrets: at("secrets") });
  const wires = await openWires(topology, seed);
  const surprises: string[] = [];
  const rules = at("rules.json");
  cpSync(fileOf("rules.json"), rules);
  const patience = at("patience.json");
  const moves = topology.spares.length > 0;
  writeFileSync(patience, JSON.stringify({ unservedGraceMs: moves ? 1_000 : 60_000 }));
  const parents = [topology.way[0], ...topology.spares];
  const env = { NODE_COMPILE_CACHE: at("compiled") };

  const processes = new Map<RunningProgram, string>();
  const processOf = (node: Node): string => `${node.name}.${String(node.starts())}`;
  const feed = openFeed({ random: randomOf(seed, "calls"), processOf });
  const person = openPerson(randomOf(seed, "person"));
  const fell = (name: string) => (program: RunningProgram, end: number | string) => {
    const last = program.stderr().trim().split("\n").at(-1) ?? "";
    // Whoever is started while its server or its link is struck says so and is started again.
    if (last.includes("No NATS server took the connection")) return;
    surprises.push(`${name} ended by itself (${String(end)}): ${last}`);
  };
  const session = (wire: Wire, data: string): readonly string[] => [
    "--url",
    wire.url,
    "--token-file",
    secrets.token,
    "--data",
    data,
  ];
  const lead = planNode({
    name: LEAD,
    wire: wires.lead,
    env,
    ready: isReady,
    fell: fell(LEAD),
    args: `serve --session ${LEAD} --open 64 --config ${rules}`
      .split(" ")
      .concat(session(wires.lead, at("lead"))),
    began: (program) => person.sit(program),
  });
  const between = planNode({
    name: MIDDLE,
    wire: wires.middle,
    env,
    ready: isReady,
    fell: fell(MIDDLE),
    args: `serve --session ${MIDDLE} --parent ${LEAD} --config ${patience}`
      .split(" ")
      .concat(session(wires.middle, at("middle"))),
    began: () => undefined,
  });
  const middle = topology.way.includes(MIDDLE) ? between : null;
  const second = planNode({
    name: SPARE,
    wire: wires.middle,
    env,
    ready: isReady,
    fell: fell(SPARE),
    args: `serve --session ${SPARE} --open 64 --config ${rules}`
      .split(" ")
      .concat(session(wires.middle, at("middle"))),
    began: (program) => person.sit(program),
  });
  const spare = topology.spares.includes(SPARE) ? second : null;
  const asking = (name: string, of: string, wire: Wire): Node => {
    const node: Node = planNode({
      name,
      wire,
      env,
      ready: null,
      args: `child --session ${of} --config ${patience}`
        .split(" ")
        .concat(parents.flatMap((parent) => ["--parent", parent]))
        .concat(session(wire, at("child"))),
      fell: (program, end) => {
        fell(name)(program, end);
        node.start().catch((error: unknown) => surprises.push(String(error)));
      },
      began: (program) => {
        const process = `${name}.${String(node.starts())}`;
        processes.set(program, process);
        program.onLine((line) => feed.heard(process, line));
        void program.ended(2 ** 31 - 1).then(() => feed.gone(process));
      },
    });
    return node;
  };
  const store = at("sink", "records.sqlite");
  const keeping = `audit run --secret-file ${secrets.sink} --store ${store} --data ${at("sink")}`;
  const sink = planNode({
    name: "sink",
    wire: wires.sink,
    env,
    ready: isReady,
    fell: fell("sink"),
    began: () => undefined,
    args: [...keeping.split(" "), "--url", wires.sink.url],
  });
  const children = CHILDREN.map((name, place) =>
    asking(name, name, wires.children[place] ?? wires.twin),
  );
  const twin = asking("twin of worker-1", CHILDREN[0], wires.twin);

  const run: Scene["run"] = async (args, lines = []) => {
    await using program = runProgram(args, { env });
    for (const line of lines) program.say(line);
    program.endInput();
    const code = await program.ended(60_000);
    return { code, said: `${program.stdout()}${program.stderr()}` };
  };
  const provisionOnce = async (...args: readonly string[]): Promise<Ran> => {
    const where = ["--url", topology.url(), "--secret-file", secrets.provisioner];
    return run(["audit", "provision", ...where, "--data", at("sink"), ...args]);
  };
  const provision: Scene["provision"] = async (...args) => {
    const deadline = performance.now() + PROVISION_MS;
    for (;;) {
      const { code, said } = await provisionOnce(...args);
      if (code === 0) return;
      if (performance.now() > deadline) throw new Error(`the audit stream: ${said}`);
    }
  };
  await topology.start();
  await provision("--stream-bytes", String(STREAM_BYTES), ...topology.provisionArgs);
  const serving = [lead, middle, spare].filter((node) => node !== null);
  await Promise.all([sink, ...serving, ...children].map(async (node) => node.start()));
  let kept = false;
  return {
    seed,
    topology,
    lead,
    middle,
    spare,
    sink,
    children,
    twin,
    feed,
    person,
    rules,
    folder,
    surprises,
    data: { lead: at("lead"), middle: at("middle"), child: at("child"), sink: at("sink") },
    store,
    asking: session(wires.twin, at("child")),
    run,
    provision,
    change: async (...args) => provisionOnce("--change", ...args),
    keep: () => {
      kept = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const node of [...serving, sink, twin, ...children]) await node.kill();
      await topology[Symbol.asyncDispose]();
      const all = [wires.lead, wires.middle, wires.sink, wires.twin, ...wires.children];
      for (const wire of all) await wire[Symbol.asyncDispose]();
      if (!kept) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Wires {
  readonly lead: Wire;
  readonly middle: Wire;
  readonly sink: Wire;
  readonly twin: Wire;
  readonly children: readonly Wire[];
}

async function openWires({ addressesOf }: Topology, seed: number): Promise<Wires> {
  const open = async (name: string, where: "parent" | "child" | "sink"): Promise<Wire> =>
    openWire(addressesOf(where), randomOf(seed, `wire of ${name}`));
  return {
    lead: await open(LEAD, "parent"),
    middle: await open(MIDDLE, "parent"),
    sink: await open("sink", "sink"),
    twin: await open("twin", "child"),
    children: await Promise.all(CHILDREN.map(async (name) => open(name, "child"))),
  };
}

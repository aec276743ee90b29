import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { UpLine } from "../src/cli/lines.ts";
import { openSqliteReads } from "../src/store/sqlite-store.ts";
import { type ChildName, LEAD, RELAY } from "./calls.ts";
import { DemoError } from "./demo-error.ts";
import type { Place } from "./place.ts";
import { lineOf, MAIN, type Program, type Start, startProgram } from "./program.ts";

/** What programs are started in. */
export interface Scene {
  readonly place: Place;
  /** The environment the demo was started in. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** True when a person answers at this very terminal. */
  readonly person: boolean;
  /** True when a session stands between the children and the one that decides. */
  readonly relay: boolean;
  readonly signal: AbortSignal;
}

/** The programs of one run, ended in the reverse order of their start. */
export interface Troupe extends AsyncDisposable {
  /** Starts the server with its store, and waits until it keeps records. */
  up(): Promise<UpLine>;
  /** Starts the parent and waits until it serves. */
  lead(store: string): Promise<Program>;
  /** Starts the session in the middle and waits until it relays. */
  relay(): Promise<Program>;
  child(name: ChildName): Program;
}

const START_MS = 20_000;
/** Fetching a server that this machine lacks takes its time, in milliseconds. */
const FETCH_MS = 180_000;

const fileOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Flags and environment that every program but the server gets. */
export function surroundings(scene: Scene): Pick<Start, "cwd" | "env" | "signal"> & {
  readonly data: readonly string[];
} {
  const { place, signal } = scene;
  return {
    cwd: place.project,
    env: { ...taken(scene, ["PATH", "TERM", "LANG", "LC_ALL", "NO_COLOR"]), ...places(place) },
    signal,
    data: ["--data", place.data],
  };
}

/** Opens a troupe; leaving its scope ends all that were started. */
export function openTroupe(scene: Scene): Troupe {
  const { place, signal, person } = scene;
  const { data, ...around } = surroundings(scene);
  const started: Program[] = [];
  const start = (given: Pick<Start, "name" | "args"> & Partial<Start>): Program => {
    const program = startProgram({ ...around, logs: place.logs, ownsTerminal: false, ...given });
    started.push(program);
    return program;
  };
  return {
    up: async () => {
      if (!existsSync(MAIN)) throw new DemoError(`${MAIN} is not there; run npm run build first`);
      const own = ["PATH", "HOME", "XDG_CACHE_HOME", "ASKFABRIC_NATS_SERVER", "DOCKER_HOST"];
      const env = { ...places(place), ...taken(scene, own) };
      const up = start({ name: "up", args: ["up", ...data], env });
      const isReady = (line: object): UpLine | undefined =>
        "ready" in line ? (line as UpLine) : undefined;
      return lineOf(up, "a server that keeps records", isReady, FETCH_MS);
    },
    lead: async (store) => {
      const terminal = person ? ["--terminal", "tui"] : ["--terminal", "stdin", "--open", "16"];
      const rules = ["--config", fileOf("lead.json")];
      const args = ["serve", "--session", LEAD, ...terminal, ...rules, ...data];
      const lead = start({ name: LEAD, args, ownsTerminal: person });
      const what = "serving its session";
      if (person) await lead.meanwhile(what, untilServes(store, signal), START_MS);
      else await lineOf(lead, what, (line) => line["ready"], START_MS);
      return lead;
    },
    relay: async () => {
      const args = ["serve", "--session", RELAY, "--parent", LEAD, ...data];
      const relay = start({ name: RELAY, args });
      await lineOf(relay, "serving its session", (line) => line["ready"], START_MS);
      return relay;
    },
    child: (name) => {
      const rules = ["--config", fileOf("child.json"), "--agent", name];
      const args = ["child", "--session", name, "--parent", parentOf(scene), ...rules, ...data];
      return start({ name, args });
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of started.reverse()) await program.stop();
    },
  };
}

/** The session that the children ask. */
export function parentOf({ relay }: Pick<Scene, "relay">): string {
  return relay ? RELAY : LEAD;
}

const LOOK_MS = 50;

/** A parent at a terminal prints no line for programs: it serves when the record of that is kept. */
async function untilServes(store: string, signal: AbortSignal): Promise<void> {
  await using reads = await openSqliteReads(store);
  const event = "forwarded_permission.serving_started";
  for (let looks = 0; looks * LOOK_MS < START_MS; looks += 1) {
    if ((await reads.list({ event }, 0, 1)).length > 0) return;
    await pause(LOOK_MS, undefined, { signal });
  }
  throw new DemoError(`${LEAD} left no record that it serves`);
}

function places(place: Place): Readonly<Record<string, string>> {
  return { HOME: place.home, NODE_COMPILE_CACHE: join(place.root, "compiled") };
}

/** Of the environment only what is named: settings of the person who looks must not change the demo. */
function taken({ env }: Scene, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

import type { Took } from "../frame/load.ts";
import type { Contest, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";

const COUNT = 10_000;
const AT_ONCE = 500;
const PATIENCE_MS = 60_000;

interface Seen {
  readonly pending: number;
  readonly residentMb: number;
}

/** A parent that holds them. */
interface Held {
  readonly look: () => Promise<Seen>;
  /** Puts asks to it that its rules answer. */
  readonly ask: () => Promise<Took>;
}

/** Opens the asks some hundred at a time, and waits until a person at the parent has every one. */
async function openPending(scene: Scene, most: number, name = "data"): Promise<Held> {
  const count = scene.quick ? Math.min(200, most) : most;
  const { url } = await scene.server();
  const data = scene.folder(name);
  const parent = await scene.role("patient-parent.ts", { url, data });
  const crowd = await scene.role("many-asks.ts", { url, data });
  const worker = await scene.role("child.ts", { url, data });
  const look = async (): Promise<Seen> => parent.ask<Seen>("look");
  for (let opened = 0; opened < count; ) {
    const more = Math.min(AT_ONCE, count - opened);
    await crowd.ask("open", { count: more });
    opened += more;
    const deadline = performance.now() + PATIENCE_MS;
    while ((await look()).pending < opened) {
      if (performance.now() > deadline) throw new Error(`not ${String(opened)} asks came`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  const ask = async (): Promise<Took> =>
    worker.ask<Took>("put", { count: scene.quick ? 50 : 1_000, concurrency: 1 });
  await ask();
  const ended = await crowd.ask<number>("ended");
  if (ended > 0) throw new Error(`${String(ended)} asks ended that were to wait`);
  return { look, ask };
}

async function openMemory(scene: Scene): Promise<Contest> {
  const { look, ask } = await openPending(scene, COUNT);
  return {
    value: async () => {
      await ask();
      return (await look()).residentMb;
    },
  };
}

async function openAnswer(scene: Scene): Promise<Contest> {
  const { ask } = await openPending(scene, COUNT);
  return { value: async () => (await ask()).p50 };
}

async function openBeside(scene: Scene): Promise<Contest> {
  const busy = await openPending(scene, 1_000, "busy");
  const free = await openPending(scene, 0, "free");
  return {
    value: async () => (await busy.ask()).p99,
    baseline: async () => (await free.ask()).p99,
  };
}

/** A parent with 10,000 asks that wait for its person. */
export const PENDING: readonly Row[] = [
  {
    name: "pending-10000-memory",
    unit: "MB",
    says: "resident memory of a parent whose person has 10,000 asks of 2 KB before them, each another, with its journal on disk, while it goes on answering by rule",
    goal: { atMost: 250 },
    open: openMemory,
  },
  {
    name: "pending-10000-answer",
    unit: "ms",
    says: "what a 2 KB ask that a rule of that parent allows takes meanwhile, one at a time, in the middle of 1,000",
    goal: { atMost: 5 },
    open: openAnswer,
  },
  {
    name: "answer-beside-1000",
    unit: "ms",
    says: "what such an ask takes at most, but for one in a hundred, at a parent whose person has 1,000 asks before them, beside one whose person has none",
    goal: { ratioAtMost: 2 },
    open: openBeside,
  },
];

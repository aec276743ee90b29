import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Line, type RunningProgram, runProgram } from "../../test/support/askfabric.ts";
import { promptOf } from "../../test/support/session-pair.ts";
import { until } from "../../test/support/until.ts";
import type { Contest, Row } from "../frame/row.ts";
import type { Scene } from "../frame/scene.ts";

/** How long an ask waits before what is measured happens, in milliseconds: signs come each second. */
const LEAST_WAIT_MS = 300;
const MOST_WAIT_MS = 1_700;

/** Longest wait for what is measured, in milliseconds. */
const DEADLINE_MS = 10_000;

const outcome = (line: Line): true | undefined => ("outcome" in line ? true : undefined);

/** A parent with a person, and a child whose ask waits there, each a process of its own. */
interface Waiting {
  readonly child: RunningProgram;
  readonly parent: RunningProgram;
  /** Starts the parent's session again. */
  readonly again: () => Promise<RunningProgram>;
}

async function programsOf(scene: Scene) {
  const { url } = await scene.server();
  const data = scene.folder("data");
  const fleet = `t${randomBytes(6).toString("hex")}`;
  const run = (...args: readonly string[]): RunningProgram => {
    const program = runProgram([...args, "--url", url, "--fleet", fleet, "--data", data]);
    scene.endsWith(async () => program[Symbol.asyncDispose]());
    return program;
  };
  const serve = async (session: string): Promise<RunningProgram> => {
    const parent = run("serve", "--session", session);
    await parent.line("the ready line", (line) => (line["ready"] === true ? true : undefined));
    return parent;
  };
  let turn = 0;
  const waiting = async (): Promise<Waiting> => {
    turn += 1;
    const session = `lead-${String(turn)}`;
    const parent = await serve(session);
    const child = run("child", "--session", `worker-${String(turn)}`, "--parent", session);
    child.say({ id: 1, toolName: "bash", input: { command: "make release" } });
    await parent.line("the prompt", promptOf);
    await pause(LEAST_WAIT_MS + Math.random() * (MOST_WAIT_MS - LEAST_WAIT_MS));
    return { child, parent, again: async () => serve(session) };
  };
  return { run, waiting };
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await what();
  return performance.now() - begun;
}

async function notServed(scene: Scene): Promise<Contest> {
  const { run } = await programsOf(scene);
  const child = run("child", "--session", "worker", "--parent", "nobody");
  let id = 0;
  return {
    value: async () => {
      id += 1;
      child.say({ id, toolName: "bash", input: { command: "make release" } });
      const own = (line: Line): true | undefined => (line["id"] === id ? true : undefined);
      return timed(async () => child.line("its outcome", own, DEADLINE_MS));
    },
  };
}

async function parentGone(scene: Scene): Promise<Contest> {
  const { waiting } = await programsOf(scene);
  return {
    value: async () => {
      const { child, parent } = await waiting();
      return timed(async () => {
        parent.kill("SIGKILL");
        const told = (): boolean => /what it took waits/.test(child.stderr());
        await until("its word that the parent is gone", told, DEADLINE_MS);
      });
    },
  };
}

async function parentBack(scene: Scene): Promise<Contest> {
  const { waiting } = await programsOf(scene);
  return {
    value: async () => {
      const { child, parent, again } = await waiting();
      parent.kill("SIGKILL");
      await parent.ended();
      const next = await again();
      return timed(async () => {
        const { requestId } = await next.line("the prompt again", promptOf, DEADLINE_MS);
        next.say({ requestId, answer: "allow" });
        await child.line("its outcome", outcome, DEADLINE_MS);
      });
    },
  };
}

async function childGone(scene: Scene): Promise<Contest> {
  const { waiting } = await programsOf(scene);
  return {
    value: async () => {
      const { child, parent } = await waiting();
      return timed(async () => {
        child.kill("SIGKILL");
        await parent.line("the withdrawal", (line) => line["withdrawn"], DEADLINE_MS);
      });
    },
  };
}

/** When people are told that somebody is not there. */
export const TOLD: readonly Row[] = [
  {
    name: "told-not-served",
    unit: "ms",
    says: "from an ask to its end where no process ever served the parent",
    goal: { atMost: 2_500 },
    open: notServed,
  },
  {
    name: "told-parent-gone",
    unit: "ms",
    says: "from the kill of a parent whose person has an ask to the child saying so",
    goal: { atMost: 3_500 },
    open: parentGone,
  },
  {
    name: "parent-back",
    unit: "ms",
    says: "from the ready line of a parent that was killed to the outcome of the ask that waited, its person answering at once",
    goal: { atMost: 1_000 },
    open: parentBack,
  },
  {
    name: "told-child-gone",
    unit: "ms",
    says: "from the kill of a child to its prompt being taken back",
    goal: { atMost: 4_500 },
    open: childGone,
  },
];

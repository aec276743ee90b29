import { setTimeout as pause } from "node:timers/promises";
import { type Line, type RunningProgram, runProgram } from "../../test/support/askfabric.ts";
import type { Wire } from "../wire/wire.ts";

/** A program of the product that may be killed and comes back. */
export interface Node {
  readonly name: string;
  readonly wire: Wire;
  /** The process that runs now; null while none does. */
  running(): RunningProgram | null;
  /** Whether it is to be given more work; settable, and true again after each start. */
  takes: boolean;
  /** How many processes of it were started. */
  starts(): number;
  /** Starts it, again and again while it ends by itself, until it is ready. */
  start(): Promise<void>;
  /** Ends it as a power cut would. Does nothing when it does not run. */
  kill(): Promise<void>;
  signal(which: NodeJS.Signals): void;
  /** Starts another process beside the one that runs, and waits until that has ended by itself. */
  succeed(): Promise<void>;
  /** Ends it in order; the exit code or signal. */
  end(how: "SIGTERM" | "input"): Promise<number | string>;
}

/** How a node is started. */
export interface NodePlan {
  readonly name: string;
  readonly wire: Wire;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Waits for a ready line; null for a program that prints none. */
  readonly ready: ((line: Line) => true | undefined) | null;
  /** Told of each process, before anything it prints. */
  readonly began: (program: RunningProgram) => void;
  /** Told of a process that ended although nobody ended it. */
  readonly fell: (program: RunningProgram, end: number | string) => void;
}

const READY_MS = 30_000;
const START_MS = 90_000;
const END_MS = 60_000;

/** Plans a node; nothing runs yet. */
export function planNode(plan: NodePlan): Node {
  let now: RunningProgram | null = null;
  let starts = 0;
  const expected = new WeakSet<RunningProgram>();

  const begin = (): RunningProgram => {
    const program = runProgram(plan.args, { env: plan.env });
    starts += 1;
    now = program;
    node.takes = true;
    plan.began(program);
    void program.ended(2 ** 31 - 1).then((end) => {
      if (now === program) now = null;
      if (!expected.has(program)) plan.fell(program, end);
    });
    return program;
  };
  const isReady = async (program: RunningProgram): Promise<boolean> => {
    if (plan.ready === null) return true;
    const ready = program.line("being ready", plan.ready, READY_MS).then(() => true);
    const over = program.ended(READY_MS).then(() => false);
    return Promise.race([ready, over]).catch(() => false);
  };
  const end = async (program: RunningProgram, how: () => void): Promise<number | string> => {
    expected.add(program);
    how();
    return program.ended(END_MS);
  };
  const start = async (): Promise<void> => {
    const deadline = performance.now() + START_MS;
    while (!(await isReady(begin()))) {
      const left = now;
      if (left !== null) await end(left, () => left.kill("SIGKILL"));
      if (performance.now() > deadline) throw new Error(`${plan.name} does not start`);
      await pause(200);
    }
  };
  const node: Node = {
    name: plan.name,
    takes: true,
    wire: plan.wire,
    running: () => now,
    starts: () => starts,
    start,
    succeed: async () => {
      const old = now;
      if (old !== null) expected.add(old);
      await start();
      await old?.ended(END_MS);
    },
    kill: async () => {
      const program = now;
      if (program !== null) await end(program, () => program.kill("SIGKILL"));
    },
    signal: (which) => now?.kill(which),
    end: async (how) => {
      const program = now;
      if (program === null) return 0;
      return end(program, () => {
        if (how === "input") program.endInput();
        else program.kill(how);
      });
    },
  };
  return node;
}

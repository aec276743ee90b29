import { fileURLToPath } from "node:url";
import type { Outcome } from "../../src/ask/outcome.ts";
import type { RunningProgram } from "./askfabric.ts";
import { answerEach, type Bench } from "./session-pair.ts";

/** The rules of a parent that decide half of the mixed asks. */
const RULES = fileURLToPath(new URL("../data/storm-rules.json", import.meta.url));

/** A session that bears an absent parent for longer than the slowest machine takes to start one. */
export const PATIENCE = fileURLToPath(new URL("../data/patient-child.json", import.meta.url));

/** Every fourth ask each: allowed by rule, denied by rule, allowed and denied by the person. */
const COMMANDS = ["fetch part-", "erase part-", "make good-", "make bad-"] as const;
const ENDS = ["allowed", "denied", "allowed", "denied"] as const;

/** The command of one mixed ask. */
export function commandOf(index: number): string {
  return `${COMMANDS[index % 4] ?? ""}${String(index)}`;
}

/** The end that is right for it. */
export function endOf(index: number): string {
  return ENDS[index % 4] ?? "";
}

/** Starts the parent `lead` whose rules and person end mixed asks so. */
export async function startLead(bench: Bench): Promise<RunningProgram> {
  const lead = await bench.serve("lead", ["--open", "20", "--config", RULES]);
  answerEach(lead, ({ value }) =>
    value.includes("bad") ? { answer: "deny", reason: `no ${value}` } : { answer: "allow" },
  );
  return lead;
}

/** An outcome as `child` prints it, with the id of its line. */
export type Ended = Outcome & { readonly id: string };

/** What a child printed so far. */
export function outcomesOf(worker: RunningProgram): Ended[] {
  return worker.lines.filter((line) => "outcome" in line) as unknown as Ended[];
}

/** A small generator of numbers from 0 to 1: one seed, one schedule. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x80000000;
  };
}

import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { effectiveDecider } from "../../src/ask/decision.ts";
import type { RunningProgram } from "../support/askfabric.ts";
import {
  commandOf,
  type Ended,
  endOf,
  outcomesOf,
  PATIENCE,
  randomFrom,
  startLead,
} from "../support/mixed-asks.ts";
import { SEED } from "../support/random-tests.ts";
import { type Bench, openBench } from "../support/session-pair.ts";
import { until } from "../support/until.ts";
import { recordedVerdicts } from "../support/verdicts.ts";

const ASKS = Number(process.env["ASKFABRIC_TEST_RELAYED_ASKS"] ?? 60);

type Victim = "relay" | "lead" | "server";

interface Storm {
  readonly bench: Bench;
  readonly random: () => number;
  readonly programs: { relay: RunningProgram; lead: RunningProgram };
  readonly fired: Record<Victim, number>;
}

const startRelay = async (bench: Bench): Promise<RunningProgram> =>
  bench.serve("builder", ["--parent", "lead", "--config", PATIENCE]);

/** Kills one of the three: each once to begin with, then as chance has it. */
async function strike({ bench, random, programs, fired }: Storm): Promise<void> {
  const all = ["relay", "lead", "server"] as const;
  const victim = all.find((one) => fired[one] === 0) ?? all[Math.floor(random() * 3)] ?? "relay";
  fired[victim] += 1;
  if (victim === "server") {
    await bench.server.kill();
    await pause(random() * 600);
    await bench.server.start();
    return;
  }
  programs[victim].kill("SIGKILL");
  await programs[victim].ended();
  await pause(random() * 600);
  programs[victim] = await (victim === "relay" ? startRelay : startLead)(bench);
}

async function sendAll({ random }: Storm, worker: RunningProgram): Promise<void> {
  for (let index = 0; index < ASKS; index += 1) {
    worker.say({ id: String(index), toolName: "bash", input: { command: commandOf(index) } });
    await pause(random() * 80);
  }
}

/** Kills on as long as asks are open, at most 40 times. */
async function rage(storm: Storm, worker: RunningProgram): Promise<void> {
  const { fired, random } = storm;
  while (
    outcomesOf(worker).length < ASKS &&
    Object.values(fired).reduce((sum, n) => sum + n) < 40
  ) {
    await pause(200 + random() * 500);
    await strike(storm);
  }
}

/** Outcomes that the last verdict a session recorded of their ask contradicts, or that it says had no effect. */
function contradicted(outcomes: readonly Ended[], data: string, session: string): readonly Ended[] {
  const recorded = recordedVerdicts(data, session);
  return outcomes.filter(({ requests, outcome }) => {
    const [request] = requests;
    const verdict = recorded.get(request?.requestId ?? "");
    // What a rule answered in the last 10 ms before a kill may be on no disk.
    const byRule = request !== undefined && effectiveDecider(request.decidedBy).kind === "rule";
    if (verdict === undefined || verdict.late) return !(byRule && session === "lead");
    return verdict.approved !== (outcome === "allowed");
  });
}

it("asks under kills of relay, session above and server end once each, as both sessions recorded", async () => {
  process.stdout.write(`seed ${String(SEED)}, ${String(ASKS)} asks\n`);
  await using bench = await openBench();
  const programs = { lead: await startLead(bench), relay: await startRelay(bench) };
  const fired = { relay: 0, lead: 0, server: 0 };
  const storm: Storm = { bench, random: randomFrom(SEED), programs, fired };
  const asking = ["--session", "worker", "--parent", "builder", "--config", PATIENCE];
  const worker = bench.run(["child", ...asking]);
  await Promise.all([sendAll(storm, worker), rage(storm, worker)]);
  await until("an outcome for every ask", () => outcomesOf(worker).length >= ASKS, 90_000);
  worker.endInput();
  expect(await worker.ended(20_000)).toBe(0);
  const outcomes = outcomesOf(worker);
  expect(outcomes.map(({ id }) => id).toSorted()).toEqual(
    Array.from({ length: ASKS }, (_, index) => String(index)).toSorted(),
  );
  const wrong = outcomes.filter(({ id, outcome }) => outcome !== endOf(Number(id)));
  expect(wrong).toEqual([]);
  for (const program of Object.values(programs)) {
    program.kill("SIGTERM");
    expect(await program.ended(20_000)).toBe(0);
  }
  for (const session of ["builder", "lead"]) {
    expect(contradicted(outcomes, bench.data, session)).toEqual([]);
  }
  process.stdout.write(`fired ${JSON.stringify(fired)}\n`);
  for (const times of Object.values(fired)) expect(times).toBeGreaterThan(0);
}, 240_000);

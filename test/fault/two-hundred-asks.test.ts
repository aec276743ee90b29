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
import { type RecordedVerdict, recordedVerdicts } from "../support/verdicts.ts";

const ASKS = Number(process.env["ASKFABRIC_TEST_ASKS"] ?? 200);

interface Storm {
  readonly bench: Bench;
  readonly random: () => number;
  lead: RunningProgram;
  readonly fired: { parent: number; server: number };
}

/** Kills one of the two: each once to begin with, then as chance has it. */
async function strike(storm: Storm): Promise<void> {
  const { bench, random, fired } = storm;
  const parent = fired.parent === 0 || (fired.server > 0 && random() < 0.6);
  if (parent) {
    storm.fired.parent += 1;
    storm.lead.kill("SIGKILL");
    await storm.lead.ended();
    await pause(random() * 600);
    storm.lead = await startLead(bench);
  } else {
    storm.fired.server += 1;
    await bench.server.kill();
    await pause(random() * 600);
    await bench.server.start();
  }
}

const print = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

async function sendAll(storm: Storm, worker: RunningProgram): Promise<void> {
  for (let index = 0; index < ASKS; index += 1) {
    worker.say({ id: String(index), toolName: "bash", input: { command: commandOf(index) } });
    await pause(storm.random() * 60);
  }
}

/** Kills on as long as asks are open, at most 60 times. */
async function rage(storm: Storm, worker: RunningProgram): Promise<void> {
  const { fired, random } = storm;
  while (outcomesOf(worker).length < ASKS && fired.parent + fired.server < 60) {
    await pause(200 + random() * 500);
    await strike(storm);
  }
}

async function allEnded(worker: RunningProgram): Promise<void> {
  try {
    await until("an outcome for every ask", () => outcomesOf(worker).length >= ASKS, 60_000);
  } catch (error) {
    const ended = new Set(outcomesOf(worker).map(({ id }) => id));
    const all = Array.from({ length: ASKS }, (_, index) => String(index));
    const missing = all.filter((id) => !ended.has(id)).join(" ");
    throw new Error(`no outcome for ${missing}\n${worker.stderr()}`, { cause: error });
  }
}

interface Compared {
  /** Outcomes that the parent's last record of their ask contradicts, or that it should know and does not. */
  readonly divergent: readonly Ended[];
  /** Outcomes by a rule whose record was in the last group commit of a killed parent: at most 10 ms old. */
  readonly absent: readonly Ended[];
}

function compare(outcomes: readonly Ended[], data: string): Compared {
  const recorded = recordedVerdicts(data, "lead");
  const verdictOf = ({ requests }: Ended): RecordedVerdict | undefined =>
    recorded.get(requests[0]?.requestId ?? "");
  // A late record is of a verdict that another process gave to a repeat: the one that counted is absent.
  const isAbsent = (ended: Ended): boolean => verdictOf(ended)?.late ?? true;
  return {
    absent: outcomes.filter((ended) => isByRule(ended) && isAbsent(ended)),
    divergent: outcomes.filter((ended) =>
      isAbsent(ended)
        ? !isByRule(ended)
        : verdictOf(ended)?.approved !== (ended.outcome === "allowed"),
    ),
  };
}

function isByRule({ requests }: Ended): boolean {
  const decidedBy = requests[0]?.decidedBy;
  return decidedBy !== undefined && effectiveDecider(decidedBy).kind === "rule";
}

it("two hundred asks under kills of parent and server end once each, as their parent recorded", async () => {
  print(`seed ${String(SEED)}, ${String(ASKS)} asks`);
  await using bench = await openBench();
  const storm: Storm = {
    bench,
    random: randomFrom(SEED),
    lead: await startLead(bench),
    fired: { parent: 0, server: 0 },
  };
  const worker = bench.run([
    "child",
    "--session",
    "worker",
    "--parent",
    "lead",
    "--config",
    PATIENCE,
  ]);
  await Promise.all([sendAll(storm, worker), rage(storm, worker)]);
  await allEnded(worker);
  worker.endInput();
  expect(await worker.ended(20_000)).toBe(0);
  storm.lead.kill("SIGTERM");
  expect(await storm.lead.ended()).toBe(0);
  print(`killed: parent ${String(storm.fired.parent)}, server ${String(storm.fired.server)}`);

  const ends = outcomesOf(worker).map(({ id, outcome }) => `${id} ${outcome}`);
  const expected = Array.from({ length: ASKS }, (_, index) => `${String(index)} ${endOf(index)}`);
  expect(ends.sort()).toEqual(expected.sort());
  const { divergent, absent } = compare(outcomesOf(worker), bench.data);
  print(`by rule and without a record at the parent: ${String(absent.length)}`);
  expect(divergent).toEqual([]);
  expect(absent.length).toBeLessThan(ASKS / 4);
  expect(storm.fired.parent).toBeGreaterThan(0);
  expect(storm.fired.server).toBeGreaterThan(0);
}, 180_000);

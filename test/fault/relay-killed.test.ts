import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { type Bench, openBench, promptOf, type SeenPrompt } from "../support/session-pair.ts";
import { until } from "../support/until.ts";
import { countEntries, recordedVerdicts } from "../support/verdicts.ts";

const PATIENCE = fileURLToPath(new URL("../data/patient-child.json", import.meta.url));

/** How long the killed part stays away. */
const AWAY_MS = 1_500;

const asked = (bench: Bench): RunningProgram => {
  const worker = bench.run(["child", "--session", "worker", "--parent", "builder"]);
  worker.say({ id: "one", toolName: "bash", input: { command: "make release" } });
  return worker;
};

const promptIn = async (lead: RunningProgram): Promise<SeenPrompt> =>
  lead.line("the prompt", promptOf, 20_000);

/** The ask as it is shown, when both sessions have written down what they know of it. */
async function shownBy(bench: Bench, lead: RunningProgram): Promise<SeenPrompt> {
  const prompt = await promptIn(lead);
  const count = (session: string, event: string): number =>
    countEntries(bench.data, session, `forwarded_permission.${event}`).get(prompt.requestId) ?? 0;
  await until(
    "the prompt on disk",
    () => count("lead", "prompted") === 1 && count("builder", "accepted") === 2,
    20_000,
  );
  return prompt;
}

const outcome = (line: Line): Line | undefined => (line["id"] === "one" ? line : undefined);

const takenBack =
  (requestId: string) =>
  ({ withdrawn }: Line): true | undefined =>
    (withdrawn as { requestId?: string } | undefined)?.requestId === requestId || undefined;

/** It bears an absent parent for longer than the slowest machine takes to start one. */
const relay = async (bench: Bench): Promise<RunningProgram> =>
  bench.serve("builder", ["--parent", "lead", "--config", PATIENCE]);

/** Both serving sessions say of the ask what its child did. */
const agree = (bench: Bench, requestId: string): void => {
  for (const session of ["builder", "lead"]) {
    expect(recordedVerdicts(bench.data, session)).toEqual(
      new Map([[requestId, { approved: true, late: false }]]),
    );
    const approved = countEntries(bench.data, session, "forwarded_permission.approved");
    expect(approved.get(requestId)).toBe(1);
  }
};

it("a relay killed while a person thinks goes on with the ask, which is prompted once and answered once", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const first = await relay(bench);
  const worker = asked(bench);
  const { requestId } = await shownBy(bench, lead);
  first.kill("SIGKILL");
  await first.ended();
  await pause(AWAY_MS);
  await relay(bench);
  lead.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome, 20_000)).toMatchObject({ outcome: "allowed" });
  expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toHaveLength(1);
  agree(bench, requestId);
});

it("an answer given while the relay was dead is delivered by the one that returns", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const first = await relay(bench);
  const worker = asked(bench);
  const { requestId } = await shownBy(bench, lead);
  first.kill("SIGKILL");
  await first.ended();
  lead.say({ requestId, answer: "allow" });
  await pause(AWAY_MS);
  expect(worker.lines.filter((line) => outcome(line) !== undefined)).toEqual([]);
  await relay(bench);
  expect(await worker.line("its outcome", outcome, 20_000)).toMatchObject({ outcome: "allowed" });
  agree(bench, requestId);
});

it("the session above killed while its person thinks asks again, and the relay passes its answer on", async () => {
  await using bench = await openBench();
  const first = await bench.serve("lead");
  await relay(bench);
  const worker = asked(bench);
  const { requestId } = await shownBy(bench, first);
  first.kill("SIGKILL");
  await first.ended();
  await pause(AWAY_MS);
  const second = await bench.serve("lead");
  expect(await promptIn(second)).toMatchObject({ requestId, reprompt: 1 });
  second.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome, 20_000)).toMatchObject({ outcome: "allowed" });
  agree(bench, requestId);
});

it("a child killed while a person thinks has its prompt taken back through the relay at its next start", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  await relay(bench);
  const worker = asked(bench);
  const { requestId } = await shownBy(bench, lead);
  worker.kill("SIGKILL");
  await worker.ended();
  const next = bench.run(["child", "--session", "worker", "--parent", "builder"]);
  await lead.line("the prompt is taken back", takenBack(requestId), 20_000);
  next.endInput();
  expect(await next.ended()).toBe(0);
});

it("the server killed while a person thinks loses nothing of an ask that is relayed", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  await relay(bench);
  const worker = asked(bench);
  const { requestId } = await shownBy(bench, lead);
  await bench.server.kill();
  lead.say({ requestId, answer: "allow" });
  await pause(AWAY_MS);
  await bench.server.start();
  expect(await worker.line("its outcome", outcome, 20_000)).toMatchObject({ outcome: "allowed" });
  agree(bench, requestId);
});

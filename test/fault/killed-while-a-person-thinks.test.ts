import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { type Bench, openBench, promptOf, type SeenPrompt } from "../support/session-pair.ts";
import { countEntries, recordedVerdicts } from "../support/verdicts.ts";

/** How long the killed part stays away; the full size is 15 seconds. */
const AWAY_MS = Number(process.env["ASKFABRIC_TEST_AWAY_MS"] ?? 3_000);

const asked = (bench: Bench): RunningProgram => {
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
  worker.say({ id: "one", toolName: "bash", input: { command: "make release" } });
  return worker;
};

const promptIn = async (lead: RunningProgram): Promise<SeenPrompt> =>
  lead.line("the prompt", promptOf);

const outcome = (line: Line): Line | undefined => (line["id"] === "one" ? line : undefined);

const outcomesOf = (worker: RunningProgram): unknown[] =>
  worker.lines.filter((line) => line["id"] === "one");

it("a parent killed while its person thinks asks again under the same id and the child runs once", async () => {
  await using bench = await openBench();
  const first = await bench.serve("lead");
  const worker = asked(bench);
  const { requestId } = await promptIn(first);
  first.kill("SIGKILL");
  await first.ended();
  await pause(AWAY_MS);
  expect(outcomesOf(worker)).toEqual([]);

  const second = await bench.serve("lead");
  const again = await promptIn(second);
  expect(again).toMatchObject({ requestId, reprompt: 1 });
  second.say({ requestId, answer: "allow" });
  await worker.line("its outcome", outcome);
  worker.endInput();
  expect(await worker.ended()).toBe(0);
  expect(outcomesOf(worker)).toMatchObject([{ outcome: "allowed", requests: [{ requestId }] }]);
  second.kill("SIGTERM");
  expect(await second.ended()).toBe(0);
  expect(recordedVerdicts(bench.data, "lead")).toEqual(
    new Map([[requestId, { approved: true, late: false }]]),
  );
  expect(countEntries(bench.data, "lead", "forwarded_permission.approved").get(requestId)).toBe(1);
});

it("a server killed while a person thinks loses neither the prompt nor the answer", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const worker = asked(bench);
  const { requestId } = await promptIn(lead);
  await bench.server.kill();
  lead.say({ requestId, answer: "allow" });
  await pause(AWAY_MS);
  expect(outcomesOf(worker)).toEqual([]);

  await bench.server.start();
  const ended = await worker.line("its outcome", outcome, 20_000);
  expect(ended).toMatchObject({ outcome: "allowed", requests: [{ requestId }] });
  const prompts = lead.lines.filter((line) => promptOf(line) !== undefined);
  expect(prompts).toHaveLength(1);
});

it("a child killed while a person thinks has its prompt withdrawn at its next start", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const worker = asked(bench);
  const { requestId } = await promptIn(lead);
  worker.kill("SIGKILL");
  await worker.ended();

  bench.run(["child", "--session", "worker", "--parent", "lead"]);
  const withdrawn = await lead.line("the withdrawal", (line) => line["withdrawn"]);
  expect(withdrawn).toMatchObject({ requestId });
  lead.say({ requestId, answer: "allow" });
  const echo = await lead.line("the echo", (line) => line["answered"]);
  expect(echo).toMatchObject({ requestId, effective: false });
});

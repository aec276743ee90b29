import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";
import { until } from "../support/until.ts";

/** A child says that it lives as soon as it hears that its ask was taken: this long it may take. */
const FIRST_SIGN_MS = 500;

const asking = (bench: Bench, session: string, command: string): RunningProgram => {
  const child = bench.run(["child", "--session", session, "--parent", "lead"]);
  child.say({ id: session, toolName: "bash", input: { command } });
  return child;
};

const outcome = (line: Line): Line | undefined => ("outcome" in line ? line : undefined);

const promptOfAgain = (line: Line) => {
  const prompt = promptOf(line);
  return prompt?.reprompt === 1 ? prompt : undefined;
};

const promptOfSecond = (line: Line) => {
  const prompt = promptOf(line);
  return prompt?.value === "make second" ? prompt : undefined;
};

const says = async (program: RunningProgram, what: string): Promise<true> =>
  until(`"${what}" on its log`, () => program.stderr().includes(what), 8_000);

it("a child that stands still has its prompt taken back, and asks again under the same id", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const worker = asking(bench, "worker", "make release");
  const { requestId } = await lead.line("the prompt", promptOf);
  await pause(FIRST_SIGN_MS);
  worker.kill("SIGSTOP");
  const withdrawn = await lead.line("the withdrawal", (line) => line["withdrawn"], 8_000);
  expect(withdrawn).toMatchObject({ requestId, why: "child_gone" });
  lead.say({ requestId, answer: "allow" });
  const echo = await lead.line("the echo", (line) => line["answered"]);
  expect(echo).toMatchObject({ requestId, effective: false });

  worker.kill("SIGCONT");
  expect(await lead.line("the prompt again", promptOfAgain)).toMatchObject({ requestId });
  lead.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome)).toMatchObject({ outcome: "allowed" });
});

it("a child that dies behind two relays is missed by the person above, who is asked again when it is back", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  await bench.serve("upper", ["--parent", "lead"]);
  await bench.serve("lower", ["--parent", "upper"]);
  const worker = bench.run(["child", "--session", "worker", "--parent", "lower"]);
  worker.say({ id: "one", toolName: "bash", input: { command: "make release" } });
  const { requestId } = await lead.line("the prompt", promptOf);
  await pause(FIRST_SIGN_MS);
  worker.kill("SIGSTOP");
  const withdrawn = await lead.line("the withdrawal", (line) => line["withdrawn"], 12_000);
  expect(withdrawn).toMatchObject({ requestId, why: "child_gone" });

  worker.kill("SIGCONT");
  expect(await lead.line("the prompt again", promptOfAgain)).toMatchObject({ requestId });
  lead.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome)).toMatchObject({ outcome: "allowed" });
});

it("a child that died makes room for the ask of another one, and nobody can allow its own", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const first = asking(bench, "worker-1", "make first");
  const { requestId } = await lead.line("the prompt", promptOf);
  const second = asking(bench, "worker-2", "make second");
  await pause(FIRST_SIGN_MS);
  first.kill("SIGKILL");
  const other = await lead.line("the other prompt", promptOfSecond, 8_000);
  expect(lead.lines.map((line) => line["withdrawn"]).filter(Boolean)).toMatchObject([
    { requestId, why: "child_gone" },
  ]);
  lead.say({ requestId: other.requestId, answer: "allow" });
  expect(await second.line("its outcome", outcome)).toMatchObject({ outcome: "allowed" });
});

it("a parent that stood still itself holds it against no child", async () => {
  await using bench = await openBench();
  const lead = await bench.serve("lead");
  const worker = asking(bench, "worker", "make release");
  const { requestId } = await lead.line("the prompt", promptOf);
  lead.kill("SIGSTOP");
  await pause(5_000);
  lead.kill("SIGCONT");
  await pause(2_500);
  expect(lead.lines.filter((line) => "withdrawn" in line)).toEqual([]);
  lead.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome)).toMatchObject({ outcome: "allowed" });
});

it("a child tells that its parent died while an ask waits, and that it is back", async () => {
  await using bench = await openBench();
  const first = await bench.serve("lead");
  const worker = asking(bench, "worker", "make release");
  const { requestId } = await first.line("the prompt", promptOf);
  first.kill("SIGKILL");
  await says(worker, "the parent; what it took waits until");
  const second = await bench.serve("lead");
  await says(worker, "the parent is heard again; what waits goes on");
  await second.line("the prompt again", promptOf);
  second.say({ requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcome)).toMatchObject({ outcome: "allowed" });
});

import { afterAll, beforeAll, expect, it } from "vitest";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";
import { recordedVerdicts } from "../support/verdicts.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

const call = (id: string, command: string): object => ({
  id,
  toolName: "bash",
  input: { command },
});
const outcomeOf =
  (id: string) =>
  (line: Line): Line | undefined =>
    line["id"] === id ? line : undefined;

const takenBack =
  (requestId: string) =>
  ({ withdrawn }: Line): true | undefined =>
    (withdrawn as { requestId?: string } | undefined)?.requestId === requestId || undefined;

function worker(bench: Bench): RunningProgram {
  return bench.run(["child", "--session", "worker", "--parent", "builder"]);
}

it("serve --parent passes an ask on to the person of the session above, and the answer back", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const builder = await bench.serve("builder", ["--parent", "lead"]);
  expect(builder.lines[0]).toMatchObject({ session: "builder", parent: "lead" });
  const child = worker(bench);
  child.say(call("1", "make release"));
  const prompt = await lead.line("the prompt", promptOf);
  expect(prompt.rows.join("\n")).toMatch(/session +: worker\nthrough +: builder/);
  lead.say({ requestId: prompt.requestId, answer: "allow" });
  const outcome = await child.line("its outcome", outcomeOf("1"));
  expect(outcome).toMatchObject({
    outcome: "allowed",
    requests: [{ requestId: prompt.requestId }],
  });
  expect(builder.lines.some((line) => promptOf(line) !== undefined)).toBe(false);
  for (const session of ["builder", "lead"]) {
    expect(recordedVerdicts(bench.data, session)).toEqual(
      new Map([[prompt.requestId, { approved: true, late: false }]]),
    );
  }
});

it("a child of serve --parent is told that nobody serves above, long before its deadline", async () => {
  await using bench = await openBench(server);
  await bench.serve("builder", ["--parent", "lead"]);
  const child = worker(bench);
  child.say(call("1", "make release"));
  expect(await child.line("its outcome", outcomeOf("1"))).toMatchObject({
    outcome: "lost",
    lost: "not_serving",
  });
});

it.each([
  [["--parent", "builder"], "--parent names builder, which is the session to be served"],
  [["--parent", "lead", "--terminal", "stdin"], "--parent and --terminal stdin are both given"],
  [["--parent", ""], "--parent names no session"],
])("serve refuses %j, and says what to do", async (args, text) => {
  await using bench = await openBench(server);
  const program = bench.run(["serve", "--session", "builder", ...args]);
  expect(await program.ended()).toBe(1);
  expect(program.stderr()).toContain(text);
});

it("serve stopped in order gives what it relays back and takes it from the screen above", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const builder = await bench.serve("builder", ["--parent", "lead"]);
  const child = worker(bench);
  child.say(call("1", "make release"));
  const { requestId } = await lead.line("the prompt", promptOf);
  builder.kill("SIGTERM");
  expect(await builder.ended()).toBe(0);
  expect(await child.line("its outcome", outcomeOf("1"))).toMatchObject({
    outcome: "lost",
    lost: "parent_shut_down",
  });
  await lead.line("its end", takenBack(requestId));
});

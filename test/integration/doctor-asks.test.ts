import { afterAll, beforeAll, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { RunningProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

interface Check {
  readonly check: string;
  readonly status: string;
  readonly text: string;
  readonly todo?: string | undefined;
}

async function checksOf(bench: Bench, ...args: readonly string[]): Promise<readonly Check[]> {
  const doctor = bench.run(["doctor", ...args]);
  await doctor.ended();
  return doctor.lines.map((line) => LINE_SCHEMAS.check.parse(line));
}

async function asksOf(bench: Bench, session: string): Promise<readonly Check[]> {
  const checks = await checksOf(bench, "--session", session);
  return checks.filter(({ check }) => check.startsWith("ask"));
}

async function asking(bench: Bench, parent: string, person: RunningProgram) {
  const worker = bench.run(["child", "--session", "worker", "--parent", parent]);
  worker.say({ id: 1, toolName: "bash", input: { command: "make release" } });
  const { requestId } = await person.line("the prompt", promptOf);
  return { worker, requestId };
}

it("doctor says that a person was shown the ask of a session, and where to answer it", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { requestId } = await asking(bench, "lead", lead);
  expect(await asksOf(bench, "worker")).toEqual([
    {
      check: `ask ${requestId}`,
      status: "ok",
      text: expect.stringContaining("a person at lead was shown it; it ends in ") as unknown,
      todo: "answer it at the terminal of lead",
    },
  ]);
  expect(await asksOf(bench, "lead")).toMatchObject([
    { check: `ask ${requestId}`, text: expect.stringContaining("of worker, here for ") as unknown },
  ]);
});

it("doctor says that the session that has an ask is not heard, and how to start it", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  await asking(bench, "lead", lead);
  lead.kill("SIGKILL");
  await lead.ended();
  const stuck = { status: "warn", todo: 'start "askfabric serve --session lead"' };
  expect(await asksOf(bench, "worker")).toMatchObject([
    { ...stuck, text: expect.stringContaining("lead has taken it and is not heard") as unknown },
  ]);
  expect(await asksOf(bench, "lead")).toMatchObject([
    { ...stuck, text: expect.stringContaining("no process serves lead") as unknown },
  ]);
});

it("doctor says that the process that asked is gone", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const { worker } = await asking(bench, "lead", lead);
  worker.kill("SIGKILL");
  await worker.ended();
  expect(await asksOf(bench, "worker")).toMatchObject([
    { status: "warn", text: expect.stringContaining("the process that asked is gone") as unknown },
  ]);
});

it("doctor follows an ask through a relay to the person who has it", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  await bench.serve("middle", ["--parent", "lead"]);
  await asking(bench, "middle", lead);
  const there = "middle has passed it on; a person at lead was shown it";
  expect(await asksOf(bench, "worker")).toMatchObject([
    { text: expect.stringContaining(there) as unknown },
  ]);
});

it("doctor says that no ask of a session is open, and looks at each of several parents", async () => {
  await using bench = await openBench(server);
  await bench.serve("lead");
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"]);
  worker.endInput();
  await worker.ended();
  const flags = ["--session", "worker", "--parent", "lead", "--parent", "other"];
  const checks = await checksOf(bench, ...flags);
  expect(checks.filter(({ check }) => check === "parent")).toMatchObject([
    { status: "ok", text: "lead is served" },
    { status: "fail", todo: expect.stringContaining("--session other") as unknown },
  ]);
  expect(checks.at(-1)).toMatchObject({ check: "asks", text: "no ask of worker is open" });
});

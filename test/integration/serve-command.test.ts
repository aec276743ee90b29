import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import type { Line, RunningProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { bodyOf } from "../support/record-chain.ts";
import { type Bench, openBench, promptOf, type SeenPrompt } from "../support/session-pair.ts";
import { until } from "../support/until.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

function child(bench: Bench, session = "worker"): RunningProgram {
  return bench.run(["child", "--session", session, "--parent", "lead"]);
}

const call = (id: string, command: string): object => ({
  id,
  toolName: "bash",
  input: { command },
});
const promptAbout =
  (value: string) =>
  (line: Line): SeenPrompt | undefined =>
    promptOf(line)?.value === value ? promptOf(line) : undefined;
const outcomeOf =
  (id: string) =>
  (line: Line): Line | undefined =>
    line["id"] === id ? line : undefined;
const fullPrompt = (line: Line): SeenPrompt | undefined =>
  promptOf(line)?.full === true ? promptOf(line) : undefined;
const answered =
  (requestId: string) =>
  (line: Line): unknown => {
    const echo = line["answered"] as { requestId?: string } | undefined;
    return echo?.requestId === requestId ? echo : undefined;
  };

it("serve shows one prompt at a time, refuses wrong answers by name and changes nothing by them", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.say(call("1", "make one"));
  const first = await lead.line("the first prompt", promptAbout("make one"));
  worker.say(call("2", "make two"));
  lead.say("allow");
  lead.say({ answer: "allow" });
  lead.say({ requestId: "perm-unknown", answer: "allow" });
  lead.say({ requestId: first.requestId, answer: "yes" });
  lead.say({ requestId: first.requestId, answer: "allow" });
  expect(await worker.line("its outcome", outcomeOf("1"))).toMatchObject({ outcome: "allowed" });
  const second = await lead.line("the second prompt", promptAbout("make two"));
  lead.say({ requestId: first.requestId, answer: "deny" });
  lead.say({ requestId: second.requestId, answer: "deny" });
  expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "denied" });
  const told = lead.lines
    .map(({ error, answered: echo }) => [error, echo])
    .flat()
    .filter(Boolean);
  expect(told).toMatchObject([
    { code: "malformed_json", line: 1 },
    { code: "missing_request_id", line: 2 },
    { requestId: "perm-unknown", effective: false, why: "unknown_request" },
    { requestId: first.requestId, effective: false, why: "unknown_answer" },
    { requestId: first.requestId, effective: true },
    { requestId: first.requestId, effective: false, why: "already_answered" },
    { requestId: second.requestId, effective: true },
  ]);
});

it("serve hides rows of evidence over its budget and shows all of them on demand", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead", ["--width", "40"]);
  const worker = child(bench);
  const todos = Array.from({ length: 60 }, (_, n) => `step ${n}`);
  worker.say({ id: "1", toolName: "todo_write", input: { todos } });
  const short = await lead.line("the prompt", promptOf);
  expect(short.hiddenRows).toBeGreaterThan(0);
  expect(Math.max(...short.rows.map((row) => row.length))).toBeLessThanOrEqual(40);
  lead.say({ requestId: short.requestId, show: "full" });
  const full = await lead.line("the full view", fullPrompt);
  expect(full.rows.join("\n")).toContain("step 59");
});

it("serve lets a grant for the child's session settle its like without a prompt", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.say(call("1", "make one"));
  const { requestId } = await lead.line("the prompt", promptOf);
  lead.say({ requestId, answer: "allow_for_session" });
  await worker.line("its outcome", outcomeOf("1"));
  worker.say(call("2", "make two"));
  expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({
    outcome: "allowed",
    requests: [{ resolution: "session_approved" }],
  });
});

it("serve lets a grant for its own session settle the like of another child", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const [one, two] = [child(bench, "w1"), child(bench, "w2")];
  one.say(call("1", "make one"));
  const { requestId } = await lead.line("the prompt", promptOf);
  lead.say({ requestId, answer: "allow_for_serving_session" });
  await one.line("its outcome", outcomeOf("1"));
  two.say(call("2", "make two"));
  expect(await two.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "allowed" });
  expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toHaveLength(1);
});

it("serve answers every open ask when it is stopped in order, and exits 0", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead", ["--open", "2"]);
  const worker = child(bench);
  worker.say(call("1", "make one"));
  worker.say(call("2", "make two"));
  await lead.line("the first prompt", promptAbout("make one"));
  await lead.line("the second prompt", promptAbout("make two"));
  lead.kill("SIGTERM");
  expect(await lead.ended()).toBe(0);
  for (const id of ["1", "2"]) {
    const outcome = await worker.line("its outcome", outcomeOf(id));
    expect(outcome).toMatchObject({ outcome: "lost", lost: "parent_shut_down" });
  }
});

it("serve that was killed puts the same ask again after its restart, and the child runs it once", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.say(call("1", "make one"));
  const { requestId } = await lead.line("the prompt", promptOf);
  lead.kill("SIGKILL");
  await lead.ended();
  const again = await bench.serve("lead");
  const prompt = await again.line("the prompt", promptOf);
  expect(prompt).toMatchObject({ requestId, reprompt: 1 });
  again.say({ requestId, answer: "allow" });
  expect(await again.line("its echo", answered(requestId))).toMatchObject({ effective: true });
  const outcome = await worker.line("its outcome", outcomeOf("1"));
  expect(outcome).toMatchObject({ outcome: "allowed", requests: [{ requestId }] });
  worker.endInput();
  expect(await worker.ended()).toBe(0);
  expect(worker.lines).toHaveLength(1);
});

it("serve goes on answering by rules when its standard input has ended, and keeps the rest open", async () => {
  await using bench = await openBench(server);
  const config = join(bench.data, "rules.json");
  writeFileSync(config, '{"permission":{"bash":{"git status":"allow"}}}');
  const lead = await bench.serve("lead", ["--config", config]);
  lead.endInput();
  const worker = child(bench);
  worker.say(call("1", "make one"));
  await lead.line("the prompt", promptOf);
  worker.say(call("2", "git status"));
  expect(await worker.line("its outcome", outcomeOf("2"))).toMatchObject({ outcome: "allowed" });
  expect(worker.lines).toHaveLength(1);
});

it("serve judges what waits again when its rules change", async () => {
  await using bench = await openBench(server);
  const config = join(bench.data, "rules.json");
  writeFileSync(config, "{}");
  const lead = await bench.serve("lead", ["--config", config]);
  const worker = child(bench);
  worker.say(call("1", "make one"));
  await lead.line("the prompt", promptOf);
  worker.say(call("2", "git status"));
  writeFileSync(config, '{"permission":{"bash":{"git status":"allow"}}}');
  const outcome = await worker.line("its outcome", outcomeOf("2"));
  expect(outcome).toMatchObject({ outcome: "allowed", requests: [{ resolution: "policy_allow" }] });
});

it("serve with nobody at its terminal gives asks back at once and blames no person", async () => {
  await using bench = await openBench(server);
  await bench.serve("lead", ["--terminal", "deny"]);
  const worker = child(bench);
  worker.say(call("1", "make one"));
  const outcome = await worker.line("its outcome", outcomeOf("1"));
  expect(outcome).toMatchObject({ outcome: "lost" });
  expect(String(outcome["text"])).not.toMatch(/user/i);
});

it("child refuses lines of no use by name, lives on, and takes calls back", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.say("{");
  worker.say({ toolName: "bash", input: {} });
  worker.say(call("1", "make one"));
  await lead.line("the prompt", promptOf);
  worker.say(call("1", "make two"));
  worker.say({ id: "9", cancel: true });
  worker.say({ id: "1", cancel: true });
  const outcome = await worker.line("its outcome", outcomeOf("1"));
  expect(outcome).toMatchObject({ outcome: "lost", lost: "cancelled" });
  await lead.line("the withdrawal", (line) => line["withdrawn"]);
  worker.endInput();
  expect(await worker.ended()).toBe(0);
  const errors = worker.lines.map((line) => line["error"]).filter(Boolean);
  expect(errors).toMatchObject([
    { code: "malformed_json", line: 1 },
    { code: "missing_id", line: 2 },
    { code: "duplicate_id", line: 4, id: "1" },
    { code: "unknown_id", line: 5, id: "9" },
  ]);
});

it("child takes back what is open when it is stopped, and exits 0", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.say(call("1", "make one"));
  await lead.line("the prompt", promptOf);
  worker.kill("SIGTERM");
  expect(await worker.ended()).toBe(0);
  expect(worker.lines).toMatchObject([{ id: "1", outcome: "lost", lost: "cancelled" }]);
});

it("every line of standard error is JSON off a terminal, and every line of standard output has a schema", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead", ["--log-level", "debug"]);
  const worker = bench.run(["child", "--session", "w", "--parent", "lead", "--log-level", "debug"]);
  worker.say(call("1", "make one"));
  worker.say("nonsense");
  const { requestId } = await lead.line("the prompt", promptOf);
  lead.say({ requestId, answer: "deny" });
  worker.endInput();
  await worker.ended();
  lead.endInput();
  await until("a word on standard error", () => lead.stderr().endsWith("\n"));
  lead.kill("SIGTERM");
  await lead.ended();
  const logged = (lead.stderr() + worker.stderr()).trimEnd().split("\n");
  for (const line of logged) expect(Object.keys(JSON.parse(line) as object)).toContain("level");
  const schemas = Object.values(LINE_SCHEMAS);
  for (const line of [...lead.lines, ...worker.lines]) {
    expect(schemas.filter((schema) => schema.safeParse(line).success)).toHaveLength(1);
  }
});

it("serve and child end with an error when nobody reads their standard output", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const worker = child(bench);
  worker.stopReading();
  worker.say("nonsense");
  expect(await worker.ended()).toBe(1);
  lead.stopReading();
  child(bench, "w2").say(call("1", "make one"));
  expect(await lead.ended()).toBe(1);
  expect(lead.stderr() + worker.stderr()).toContain("nobody reads standard output");
});

it("serve records which configuration is in force, and each problem of it once a change", async () => {
  await using bench = await openBench(server);
  const config = join(bench.data, "rules.json");
  writeFileSync(config, '{"permission":{"bash":"ask"}}');
  const lead = await bench.serve("lead", ["--config", config]);
  writeFileSync(config, '{"permission":{"bash":"ask"},"debugLog":true}');
  await until("the change is noticed", () => lead.stderr().includes("was read again"));
  lead.kill("SIGTERM");
  await lead.ended();
  const events = (await recordsOf(bench.data, "lead")).filter((event) =>
    event.startsWith("config."),
  );
  expect(events).toEqual(["config.resolved", "config.resolved", "config.issue"]);
});

/** The events of the review entries a session wrote, in order. */
async function recordsOf(folder: string, session: string): Promise<string[]> {
  await using journal = await openJournal({ folder, session, clock: SYSTEM_CLOCK });
  return journal.read.outbox(1, 1_000).map((row) => String(bodyOf(row)["event"]));
}

import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { OutcomeLine } from "../../src/cli/lines.ts";
import { type RunningProgram, runProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { answerEach, type Bench, openBench, promptOf } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

const PUSH = JSON.stringify({ command: "git push" });

function ask(bench: Bench, args: readonly string[], parent = "lead"): RunningProgram {
  return bench.run(["ask", "--session", "worker", "--parent", parent, ...args]);
}

/** The one line that `ask` prints. */
function outcomeOf(program: RunningProgram): OutcomeLine {
  expect(program.lines).toHaveLength(1);
  return LINE_SCHEMAS.outcome.parse(program.lines[0]);
}

const HOOK = readFileSync(
  fileURLToPath(new URL("../data/permission-request.json", import.meta.url)),
  "utf8",
);

it.each([
  ["allow", 0, "allowed"],
  ["deny", 2, "denied"],
])("ask exits as a person's %s says and prints one line", async (answer, code, outcome) => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  answerEach(lead, () => ({ answer }));
  const program = ask(bench, ["--tool", "bash", "--input", PUSH]);
  expect(await program.ended()).toBe(code);
  expect(outcomeOf(program)).toMatchObject({ outcome });
});

it("ask tells the agent the person's reason word for word", async () => {
  await using bench = await openBench(server);
  answerEach(await bench.serve("lead"), () => ({
    answer: "deny",
    reason: "use  the staging branch",
  }));
  const program = ask(bench, ["--tool", "bash", "--input", PUSH]);
  await program.ended();
  expect(outcomeOf(program).text).toContain("use  the staging branch");
});

it("ask takes its ask back on SIGINT, and the person's prompt is withdrawn", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const program = ask(bench, ["--tool", "bash", "--input", PUSH]);
  const prompt = await lead.line("the prompt", promptOf);
  program.kill("SIGINT");
  expect(await program.ended()).toBe(3);
  expect(outcomeOf(program)).toMatchObject({ outcome: "lost", lost: "cancelled" });
  const withdrawn = await lead.line("the withdrawal", (line) => line["withdrawn"]);
  expect(withdrawn).toMatchObject({ requestId: prompt.requestId });
});

it("ask reads what the PermissionRequest hook of Claude Code sends", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const program = bench.run(["ask", "--stdin", "--parent", "lead"]);
  program.say(HOOK.trimEnd());
  program.endInput();
  const prompt = await lead.line("the prompt", promptOf);
  expect(prompt).toMatchObject({
    surface: "bash",
    value: "git push",
    requester: { agentName: "reviewer", sessionId: "claude-1" },
  });
  lead.say({ requestId: prompt.requestId, answer: "allow" });
  expect(await program.ended()).toBe(0);
});

it("ask reads a call of its own shape from standard input", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const program = ask(bench, ["--stdin"]);
  program.say({ toolName: "read", input: { path: "a.txt" }, cwd: "/srv/app", timeoutMs: 60_000 });
  program.endInput();
  expect(await lead.line("the prompt", promptOf)).toMatchObject({ value: "/srv/app/a.txt" });
});

it("ask says within seconds that nobody serves the parent, and blames no person", async () => {
  await using bench = await openBench(server);
  const program = ask(bench, ["--tool", "bash", "--input", PUSH], "nobody");
  expect(await program.ended()).toBe(3);
  const { text, ...outcome } = outcomeOf(program);
  expect(outcome).toMatchObject({ outcome: "lost", lost: "not_serving" });
  expect(text).not.toMatch(/user|denied/i);
});

it("ask without a parent is lost as no_target and says what to give", async () => {
  await using bench = await openBench(server);
  const program = bench.run(["ask", "--session", "w", "--tool", "bash", "--input", PUSH]);
  expect(await program.ended()).toBe(3);
  const { text, ...outcome } = outcomeOf(program);
  expect(outcome).toMatchObject({ outcome: "lost", lost: "no_target" });
  expect(text).toContain("ASKFABRIC_PARENT");
});

it("a session that inherits its own mark as parent ignores it and says so once", async () => {
  await using bench = await openBench(server);
  const program = bench.run(["ask", "--session", "w", "--tool", "bash", "--input", PUSH], {
    env: { ASKFABRIC_PARENT: "w" },
  });
  expect(await program.ended()).toBe(3);
  expect(outcomeOf(program)).toMatchObject({ lost: "no_target" });
  expect(program.stderr().match(/names this very session/g)).toHaveLength(1);
});

it("ask without a server lets rules decide and ends what they leave open as bus_unreachable", async () => {
  await using bench = await openBench();
  await bench.server.stop();
  const config = join(bench.data, "rules.json");
  writeFileSync(config, '{"permission":{"bash":{"git status":"allow"}}}');
  const status = JSON.stringify({ command: "git status" });
  const allowed = ask(bench, ["--config", config, "--tool", "bash", "--input", status]);
  const lost = ask(bench, ["--config", config, "--tool", "bash", "--input", PUSH]);
  expect(await allowed.ended()).toBe(0);
  expect(await lost.ended()).toBe(3);
  expect(outcomeOf(lost)).toMatchObject({ outcome: "lost", lost: "bus_unreachable" });
});

it("ask ends at its own deadline", async () => {
  await using bench = await openBench(server);
  const lead = await bench.serve("lead");
  const program = ask(bench, ["--tool", "bash", "--input", PUSH, "--timeout-ms", "1000"]);
  expect(await program.ended()).toBe(3);
  expect(outcomeOf(program)).toMatchObject({ lost: "timed_out" });
  await lead.line("the withdrawal", (line) => line["withdrawn"]);
});

const USAGE: readonly [string, readonly string[], string][] = [
  ["no call", [], "no call is given"],
  ["an input that is not JSON", ["--tool", "bash", "--input", "{"], "--input is not JSON"],
  ["an input that is a list", ["--tool", "bash", "--input", "[]"], "--input is JSON but no object"],
  ["a call given twice", ["--tool", "bash", "--stdin"], "--tool and --stdin exclude each other"],
  ["a life that is no number", ["--timeout-ms", "soon"], "'soon' is invalid"],
  ["a life under a second", ["--timeout-ms", "10"], "whole number from 1000 to 86400000"],
  ["an unknown flag", ["--tol", "bash"], "unknown option '--tol'"],
  [
    "a token file that is not there",
    ["--tool", "bash", "--input", PUSH, "--token-file", "/gone"],
    "--token-file, /gone cannot be opened",
  ],
  [
    "a configuration that is not there",
    ["--tool", "bash", "--input", PUSH, "--config", "/gone"],
    "/gone",
  ],
  [
    "an unknown log level",
    ["--tool", "bash", "--input", PUSH, "--log-level", "loud"],
    '"loud" is not known',
  ],
];

it.each(USAGE)("ask exits 1 with one sentence and no stack for %s", async (_name, args, text) => {
  const program = runProgram(["ask", "--session", "w", "--url", "nats://127.0.0.1:1", ...args]);
  expect(await program.ended()).toBe(1);
  expect(program.stdout()).toBe("");
  expect(program.stderr()).toContain(text);
  expect(program.stderr().trim().split("\n")).toHaveLength(1);
  expect(program.stderr()).not.toMatch(/\n\s+at |node:internal/);
});

it("ask refuses a token file that others can read, and never prints a token", async () => {
  await using bench = await openBench(server);
  const file = join(mkdtempSync(join(bench.data, "t-")), "token");
  writeFileSync(file, "s3cret", { mode: 0o644 });
  const open = ask(bench, ["--tool", "bash", "--input", PUSH, "--token-file", file]);
  expect(await open.ended()).toBe(1);
  expect(open.stderr()).toContain(`is open to other users (mode 644); run chmod 600 ${file}`);
  const url = "nats://ann:s3cret@127.0.0.1:4222";
  const inUrl = runProgram([
    "ask",
    "--session",
    "w",
    "--tool",
    "bash",
    "--input",
    PUSH,
    "--url",
    url,
  ]);
  expect(await inUrl.ended()).toBe(1);
  for (const program of [open, inUrl]) {
    expect(program.stdout() + program.stderr()).not.toContain("s3cret");
  }
});

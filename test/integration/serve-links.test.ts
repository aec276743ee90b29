import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../../src/ask/defaults.ts";
import { openJournal } from "../../src/journal/open-journal.ts";
import { type Line, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { lives, pidIn } from "../support/process-lives.ts";
import { bodyOf } from "../support/record-chain.ts";
import { type Bench, openBench, promptOf } from "../support/session-pair.ts";
import { until } from "../support/until.ts";

const SECRET = "s3cret-of-the-endpoint";
const JUDGE = fileURLToPath(new URL("../support/judge-link.ts", import.meta.url));

let server: TestServer;
let endpoint: Server;
let endpointUrl = "";
beforeAll(async () => {
  server = await startNats();
  endpoint = createServer((request, response) => {
    const known = request.headers.authorization === `Bearer ${SECRET}`;
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      const about = (JSON.parse(body) as { details: { value: string } }).details.value;
      const denies = known && about.startsWith("http");
      response.end(denies ? '{"kind":"deny","reason":"the office is closed"}' : '{"kind":"defer"}');
    });
  });
  await new Promise<void>((resolve) => {
    endpoint.listen(0, "127.0.0.1", resolve);
  });
  endpointUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/judge`;
});
afterAll(async () => {
  endpoint.closeAllConnections();
  endpoint.close();
  await server[Symbol.asyncDispose]();
});

/** Writes a configuration into a folder of its own, with what it needs beside it. */
function configure(bench: Bench, config: object): string {
  const folder = join(bench.data, "config");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "endpoint.secret"), SECRET, { mode: 0o600 });
  writeFileSync(join(folder, "judge.ts"), readFileSync(JUDGE));
  const file = join(folder, "config.json");
  writeFileSync(file, JSON.stringify(config));
  return file;
}

const child = (bench: Bench): RunningProgram =>
  bench.run(["child", "--session", "worker", "--parent", "lead"]);

const call = (command: string): object => ({ id: command, toolName: "bash", input: { command } });

async function outcomeOf(worker: RunningProgram, command: string): Promise<Line> {
  worker.say(call(command));
  return worker.line(`the outcome of ${command}`, outcomeLine(command));
}

const outcomeLine =
  (command: string) =>
  (line: Line): Line | undefined =>
    line["id"] === command ? line : undefined;

/** What a person was shown so far. */
function shownBy(lead: RunningProgram): readonly string[] {
  return lead.lines.flatMap((line) => promptOf(line)?.value ?? []);
}

/** A program that judges by the command it is asked about. */
const SCRIPT = `
import { spawn } from "node:child_process";
let text = "";
for await (const part of process.stdin) text += part;
const { details } = JSON.parse(text);
const [word] = details.value.split(" ");
process.on("SIGTERM", () => undefined);
if (word === "command") console.log(JSON.stringify({ kind: "deny", reason: "the script is against it" }));
else if (word === "flood") for (;;) process.stdout.write("x".repeat(65536)) || (await new Promise((done) => process.stdout.once("drain", done)));
else if (word === "hang") {
  spawn("/bin/sh", ["-c", "echo $$ > inner; trap '' TERM; while :; do sleep 0.1; done"], { stdio: "inherit" });
  setInterval(() => undefined, 1000);
} else if (word === "twice") console.log('{"kind":"allow"}\\n{"kind":"allow"}');
else if (word === "fails") { console.log('{"kind":"allow"}'); process.exitCode = 1; }
else console.log('{"kind":"defer"}');
`;

function allLinks(): object {
  return {
    permission: { bash: "ask" },
    authorizerChain: ["guard", "script", "endpoint", "own"],
    linkTimeoutMs: 1_500,
    links: {
      guard: { module: "askfabric:guard" },
      script: { command: [process.execPath, "script.mjs"] },
      endpoint: { http: endpointUrl, secretFile: "endpoint.secret" },
      own: { module: "./judge.ts", options: { token: "never-shown" } },
    },
  };
}

it("serve asks the guard, a program, an endpoint and a module, and the agent reads which of them decided", async () => {
  await using bench = await openBench(server);
  const config = configure(bench, allLinks());
  writeFileSync(join(bench.data, "config", "script.mjs"), SCRIPT);
  const lead = await bench.serve("lead", ["--config", config, "--log-level", "debug"]);
  const worker = child(bench);
  const told = {
    "rm -rf /": ["denied", 'the authorizer "guard"', "whole tree"],
    "command me": ["denied", 'the authorizer "script"', "the script is against it"],
    "http me": ["denied", 'the authorizer "endpoint"', "the office is closed"],
    "deny me": ["denied", 'the authorizer "own"', "own says me"],
    "allow me": ["allowed", 'the authorizer "own"'],
  };
  for (const [command, [outcome, ...texts]] of Object.entries(told)) {
    const line = await outcomeOf(worker, command);
    expect(line).toMatchObject({ outcome });
    for (const text of texts) expect(line["text"]).toContain(text);
  }
  worker.say(call("echo hello"));
  const prompt = await lead.line("the prompt for a person", promptOf);
  expect(prompt.value).toBe("echo hello");
  expect(lead.lines.filter((line) => promptOf(line) !== undefined)).toHaveLength(1);
  lead.kill("SIGTERM");
  expect(await lead.ended()).toBe(0);
  const records = await entriesOf(bench.data, "lead");
  const denied = records.filter(({ event }) => event === "forwarded_permission.denied");
  expect(denied.map(({ decidedBy }) => decidedBy?.name)).toEqual([
    "guard",
    "script",
    "endpoint",
    "own",
  ]);
  expect(denied.at(-1)?.links?.map(({ name, verdict }) => [name, verdict])).toEqual([
    ["guard", "defer"],
    ["script", "defer"],
    ["endpoint", "defer"],
    ["own", "deny"],
  ]);
  const everything = JSON.stringify(records) + lead.stderr() + lead.stdout() + worker.stdout();
  for (const secret of [SECRET, "never-shown"]) expect(everything).not.toContain(secret);
});

it("serve bears a program that floods, hangs, forks, answers twice or fails, and a person is asked instead", async () => {
  await using bench = await openBench(server);
  const links = { script: { command: [process.execPath, "script.mjs"], timeoutMs: 1_500 } };
  const config = configure(bench, { authorizerChain: ["script"], links });
  writeFileSync(join(bench.data, "config", "script.mjs"), SCRIPT);
  const lead = await bench.serve("lead", ["--config", config, "--open", "10"]);
  const worker = child(bench);
  const commands = ["flood me", "hang me", "twice me", "fails me"];
  for (const command of commands) worker.say(call(command));
  await until("all four are shown to a person", () => shownBy(lead).length === 4, 15_000);
  expect(new Set(shownBy(lead))).toEqual(new Set(commands));
  expect(worker.lines).toEqual([]);
  const inner = await until("it was told", () => pidIn(join(bench.data, "config", "inner")));
  await until("what the program started is gone", () => !lives(inner));
  lead.kill("SIGTERM");
  await lead.ended();
  const failed = (await entriesOf(bench.data, "lead")).filter(
    ({ event }) => event === "authorizer_link_failed",
  );
  expect(new Map(failed.map(({ value, reason }) => [value, reason]))).toEqual(
    new Map([
      ["fails me", "it ended with exit code 1"],
      ["flood me", "it wrote more than 65536 bytes"],
      ["hang me", "no answer within 1500 ms"],
      ["twice me", "it answered something else than one JSON value"],
    ]),
  );
});

it("serve that is stopped leaves no program of a link behind", async () => {
  await using bench = await openBench(server);
  const links = { script: { command: [process.execPath, "script.mjs"], timeoutMs: 60_000 } };
  const config = configure(bench, { authorizerChain: ["script"], links });
  writeFileSync(join(bench.data, "config", "script.mjs"), SCRIPT);
  const lead = await bench.serve("lead", ["--config", config]);
  child(bench).say(call("hang me"));
  const file = join(bench.data, "config", "inner");
  const inner = await until("the program of the link runs", () => pidIn(file));
  lead.kill("SIGTERM");
  expect(await lead.ended()).toBe(0);
  await until("what the link started is gone", () => !lives(inner));
});

it("serve asks other links when its configuration changes, also about what a link holds", async () => {
  await using bench = await openBench(server);
  const own = { own: { module: "./judge.ts" } };
  const config = configure(bench, { authorizerChain: ["own"], links: own, linkTimeoutMs: 60_000 });
  const lead = await bench.serve("lead", ["--config", config]);
  const worker = child(bench);
  worker.say(call("wait for it"));
  await until("the ask is with the link", () => lead.stderr().includes("the link waits"));
  const other = { other: { command: ["/bin/echo", '{"kind":"deny","reason":"new rules"}'] } };
  configure(bench, { authorizerChain: ["other", "gone"], links: other });
  const line = await worker.line("its outcome", outcomeLine("wait for it"));
  expect(line["text"]).toContain('the authorizer "other"');
  expect(lead.stderr()).toContain("names a link that links does not hold");
});

it("serve whose links cannot be opened says so and asks the person", async () => {
  await using bench = await openBench(server);
  const config = configure(bench, {
    authorizerChain: ["lost", "gone", "open"],
    links: {
      lost: { module: "./nowhere.mjs" },
      gone: { command: ["./nowhere"] },
      open: { http: endpointUrl, secretFile: "open.secret" },
    },
  });
  writeFileSync(join(bench.data, "config", "open.secret"), SECRET, { mode: 0o644 });
  const lead = await bench.serve("lead", ["--config", config]);
  await until("the log says so", () => lead.stderr().includes("a link is vacant and defers"));
  child(bench).say(call("echo hello"));
  await lead.line("the prompt", promptOf);
  lead.kill("SIGTERM");
  await lead.ended();
  const events = (await entriesOf(bench.data, "lead"))
    .filter(({ event }) => event.startsWith("authorizer_link"))
    .map(({ event, name }) => [event, name]);
  expect(events).toEqual([
    ["authorizer_link_vacant", "lost"],
    ["authorizer_link_vacant", "gone"],
    ["authorizer_link_failed", "open"],
  ]);
});

it("config check names every link that cannot be opened, and is content with the others", async () => {
  await using bench = await openBench(server);
  const config = configure(bench, {
    authorizerChain: ["guard", "own", "lost", "gone", "open", "ghost", "bare"],
    links: {
      guard: { module: "askfabric:guard" },
      own: { module: "./judge.ts" },
      lost: { module: "./nowhere.mjs" },
      gone: { command: ["./nowhere"] },
      bare: { command: ["node", "x.js"] },
      open: { http: endpointUrl, secretFile: "nowhere.secret" },
    },
  });
  await using check = runProgram(["config", "check", "--config", config]);
  expect(await check.ended()).toBe(1);
  const faults = check.lines.filter(({ status }) => status === "fail");
  expect(faults.map(({ check: about }) => about)).toEqual([
    "links.lost",
    "links.gone",
    "links.open",
    "links.ghost",
  ]);
});

it("serve asks the module and the program that the docs show", async () => {
  await using bench = await openBench(server);
  const examples = fileURLToPath(new URL("../../docs/examples", import.meta.url));
  const config = configure(bench, {
    authorizerChain: ["hours", "force"],
    links: {
      hours: { module: join(examples, "link.ts"), options: { from: 0, to: 0 } },
      force: { command: [process.execPath, join(examples, "link-command.js")] },
    },
  });
  await bench.serve("lead", ["--config", config]);
  const worker = child(bench);
  expect((await outcomeOf(worker, "make release"))["text"]).toContain("from 0 to 0 o'clock");
  expect((await outcomeOf(worker, "git add --force x"))["text"]).toContain("without --force");
});

interface Entry {
  readonly event: string;
  readonly name?: string;
  readonly value?: string;
  readonly reason?: string;
  readonly decidedBy?: { readonly name?: string };
  readonly links?: readonly { readonly name: string; readonly verdict: string }[];
}

async function entriesOf(folder: string, session: string): Promise<readonly Entry[]> {
  await using journal = await openJournal({ folder, session, clock: SYSTEM_CLOCK });
  return journal.read
    .outbox(1, 1_000)
    .map((row) => bodyOf(row) as unknown as Entry)
    .filter(({ event }) => typeof event === "string");
}

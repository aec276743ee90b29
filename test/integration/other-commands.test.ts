import { spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import { MAIN, runProgram } from "../support/askfabric.ts";
import { startNats, type TestServer } from "../support/nats-launcher.ts";
import { openBench } from "../support/session-pair.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startNats();
});
afterAll(async () => server[Symbol.asyncDispose]());

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "askfabric-commands-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const checks = (lines: readonly unknown[]): Record<string, string> =>
  Object.fromEntries(
    lines.map((line) => LINE_SCHEMAS.check.parse(line)).map(({ check, status }) => [check, status]),
  );

const COMMANDS =
  "up,serve,ask,child,doctor,config check,config trust,explain,schema,watch,audit run,audit provision,audit list,audit trace,audit verify,audit gaps,audit dead-letters";

it.each(COMMANDS.split(","))(
  "%s explains itself with an example on standard output",
  async (command) => {
    const program = runProgram([...command.split(" "), "--help"]);
    expect(await program.ended()).toBe(0);
    expect(program.stdout()).toMatch(new RegExp(`Usage: askfabric ${command}`));
    expect(program.stdout()).toMatch(/Examples?:\n {2}askfabric /);
    expect(program.stderr()).toBe("");
  },
);

it("the program tells its version", async () => {
  const program = runProgram(["--version"]);
  expect(await program.ended()).toBe(0);
  expect(program.stdout()).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("an unknown command is refused by its name", async () => {
  const program = runProgram(["sevre"]);
  expect(await program.ended()).toBe(1);
  expect(program.stderr()).toContain("unknown command 'sevre'");
});

it("schema lists its schemas and prints each as JSON", async () => {
  const list = runProgram(["schema"]);
  expect(await list.ended()).toBe(0);
  expect(list.stdout()).toContain("lines/outcome\n");
  const one = runProgram(["schema", "lines/outcome"]);
  expect(await one.ended()).toBe(0);
  expect(JSON.parse(one.stdout())).toMatchObject({ title: "askfabric line: outcome" });
  const none = runProgram(["schema", "lines/outcom"]);
  expect(await none.ended()).toBe(1);
  expect(none.stderr()).toContain('no schema is named "lines/outcom"');
});

it("up prints one line of its contract and finds what others need by its data folder", async () => {
  await using up = runProgram(["up", "--data", folder]);
  const line = await up.line("the ready line", (ready) => ready, 30_000);
  expect(LINE_SCHEMAS.up.parse(line)).toMatchObject({
    data: folder,
    join: join(folder, "join.json"),
  });
  const doctor = runProgram(["doctor", "--data", folder]);
  expect(await doctor.ended()).toBe(0);
  up.kill("SIGTERM");
  expect(await up.ended()).toBe(0);
  expect(up.lines).toHaveLength(1);
});

it("doctor finds all well between a session and a parent that is served", async () => {
  await using bench = await openBench(server);
  await bench.serve("lead");
  const doctor = bench.run(["doctor", "--session", "worker", "--parent", "lead"]);
  expect(await doctor.ended()).toBe(0);
  expect(checks(doctor.lines)).toMatchObject({
    configuration: "ok",
    "data folder": "ok",
    journal: "ok",
    credentials: "ok",
    parent: "ok",
  });
});

it("doctor says that nobody serves the parent and what to start", async () => {
  await using bench = await openBench(server);
  const doctor = bench.run(["doctor", "--session", "worker", "--parent", "lead"]);
  expect(await doctor.ended()).toBe(1);
  expect(checks(doctor.lines)["parent"]).toBe("fail");
  expect(doctor.stdout()).toContain("askfabric serve --session lead");
});

it("doctor says that no server answers and how to start one", async () => {
  const args = ["doctor", "--parent", "lead", "--url", "nats://127.0.0.1:1", "--data", folder];
  const doctor = runProgram(args);
  expect(await doctor.ended()).toBe(1);
  expect(checks(doctor.lines)).toMatchObject({ server: "fail", parent: "skipped" });
  expect(doctor.stdout()).toContain("askfabric up");
});

it("doctor says that a data folder cannot hold anything", async () => {
  const file = join(folder, "file");
  writeFileSync(file, "");
  const doctor = runProgram([
    "doctor",
    "--url",
    "nats://127.0.0.1:1",
    "--data",
    join(file, "data"),
  ]);
  expect(await doctor.ended()).toBe(1);
  expect(checks(doctor.lines)["data folder"]).toBe("fail");
});

it("config check names every fault with its file, line and value, and exits 1", async () => {
  const config = join(folder, "rules.json");
  writeFileSync(config, '{\n  "permission": {"bash": {"rm *": "dney"}},\n  "promptMaxRow": 3\n}');
  const program = runProgram(["config", "check", "--config", config], { cwd: folder });
  expect(await program.ended()).toBe(1);
  for (const part of ["dney", `${config}:2:`, "promptMaxRow", `${config}:3:`]) {
    expect(program.stdout()).toContain(part);
  }
  for (const line of program.lines) expect(LINE_SCHEMAS.check.safeParse(line).success).toBe(true);
});

it("a program that its configuration stops names each problem once, on a line of its own", async () => {
  const config = join(folder, "rules.json");
  writeFileSync(config, '{\n  "permission": {"bash": {"rm *": "dney"}},\n  "promptMaxRow": 3\n}');
  const two = runProgram(["serve", "--session", "lead", "--config", config], { cwd: folder });
  expect(await two.ended()).toBe(1);
  const [head, ...lines] = two.stderr().trimEnd().split("\n");
  expect(head).toMatch(/^askfabric: the configuration has 2 problems; .*config check/);
  expect(lines).toHaveLength(2);
  expect(lines[0]).toMatch(new RegExp(`^  ${config}:2:\\d+: "dney" is not an action`));
  expect(lines[1]).toMatch(new RegExp(`^  ${config}:3:\\d+: promptMaxRow is 3;`));
  const none = runProgram(["serve", "--session", "lead", "--config", "none.json"], { cwd: folder });
  expect(await none.ended()).toBe(1);
  expect(none.stderr()).toBe(
    `askfabric: ${join(folder, "none.json")}: the file is not there; write it or name another\n`,
  );
});

it("config check names a log level with which no program starts", async () => {
  const env = { HOME: folder, ASKFABRIC_LOG_LEVEL: "loud" };
  const program = runProgram(["config", "check"], { cwd: folder, env });
  expect(await program.ended()).toBe(1);
  expect(checks(program.lines)["ASKFABRIC_LOG_LEVEL"]).toBe("fail");
});

it("an empty HOME makes no file of the working directory this user's own", async () => {
  mkdirSync(join(folder, ".config", "askfabric"), { recursive: true });
  writeFileSync(join(folder, ".config", "askfabric", "config.json"), '{"yoloMode":true}');
  const program = runProgram(["config", "check"], { cwd: folder, env: { HOME: "" } });
  await program.ended();
  expect(program.stdout()).not.toContain("yoloMode is true");
});

it("config trust puts a project's file in force until it changes", async () => {
  const env = { HOME: folder };
  const file = join(folder, ".askfabric", "config.json");
  mkdirSync(join(folder, ".askfabric"));
  writeFileSync(file, '{"promptMaxRows":7}');
  const check = async (): Promise<string> => {
    const program = runProgram(["config", "check"], { cwd: folder, env });
    await program.ended();
    return program.stdout();
  };
  expect(await check()).toContain("is not trusted and not applied");
  const trust = runProgram(["config", "trust"], { cwd: folder, env });
  expect(await trust.ended()).toBe(0);
  expect(await check()).toContain("promptMaxRows is 7");
  writeFileSync(file, '{"promptMaxRows":8}');
  expect(await check()).toContain("changed since it was trusted");
});

it("config trust says that there is nothing to trust", async () => {
  const program = runProgram(["config", "trust"], { cwd: folder, env: { HOME: folder } });
  expect(await program.ended()).toBe(1);
  expect(program.stderr()).toContain("is not there");
});

it("a program starts where its cache of compiled code cannot be made", async () => {
  const program = runProgram(["--version"], { env: { XDG_CACHE_HOME: "/proc/askfabric" } });
  expect(await program.ended()).toBe(0);
});

it("doctor fails a data folder that takes no files, and leaves nothing in one that does", async () => {
  const bad = runProgram(["doctor", "--data", "/proc/askfabric"], { env: { HOME: folder } });
  await bad.ended();
  expect(checks(bad.lines)["data folder"]).toBe("fail");
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  const good = runProgram(["doctor", "--data", data], { env: { HOME: folder } });
  await good.ended();
  expect(checks(good.lines)["data folder"]).toBe("ok");
  expect(readdirSync(data)).toEqual([]);
});

it.skipIf(!existsSync("/dev/full"))("output that could not be written is no success", () => {
  const full = openSync("/dev/full", "w");
  try {
    const stdio = ["ignore", full, "pipe"] as const;
    const { status, stderr } = spawnSync(process.execPath, [MAIN, "schema"], {
      stdio: [...stdio],
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^askfabric: standard output could not be written \(ENOSPC.*\n$/),
    ]);
  } finally {
    closeSync(full);
  }
});

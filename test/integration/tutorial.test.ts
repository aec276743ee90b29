import { spawn } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { MAIN, type RunningProgram, runProgram } from "../support/askfabric.ts";
import { testServer } from "../support/nats-servers.ts";
import { NO_TMUX, runOnScreen, type ScreenProgram } from "../support/screen.ts";
import { tempFolder } from "../support/temp-folder.ts";
import { isAsShown, readSteps, type Step } from "../support/tutorial-page.ts";
import { until } from "../support/until.ts";

const PAGE = fileURLToPath(new URL("../../docs/tutorial/first-ask.md", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const steps = readSteps(PAGE);

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

const folder = tempFolder();
const data = join(folder.path, "first-ask");
const env: Record<string, string> = { ASKFABRIC_DATA: data };
const running = new Map<string, RunningProgram>();
const screens = new Map<string, ScreenProgram>();
let lastId = "no id";

/** The words of a command line of the page behind the program's name; quotes are the page's only ones. */
function wordsOf(command: string): readonly string[] {
  return [...command.replace(/^askfabric /, "").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

function of<T>(named: ReadonlyMap<string, T>, name: string): T {
  const found = named.get(name);
  if (found === undefined) throw new Error(`no step of the page started ${name}`);
  return found;
}

/** What a page shows, in the words of this run. */
const here = (text: string): string => text.replaceAll("/tmp/first-ask", data);

/** Runs the commands of one block in one shell; what each printed. */
async function runBlock({ parts }: Step): Promise<readonly string[]> {
  const mark = "@@@ end of a command @@@";
  const lines = parts.flatMap(({ command }) => [
    (command ?? "").replaceAll(/perm-[0-9a-f-]{36}/g, lastId),
    `code=$?; echo "${mark}"; (exit $code)`,
  ]);
  const shell = spawn("sh", ["-c", lines.join("\n")], {
    cwd: ROOT,
    env: { PATH: `${folder.path}:${process.env["PATH"] ?? ""}`, HOME: folder.path, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await new Promise((resolve) => shell.once("close", resolve));
  return out.split(`${mark}\n`).slice(0, parts.length);
}

function expectShown(printed: string, shown: string): void {
  const as = isAsShown(printed, here(shown));
  expect(as, `printed:\n${printed}\nshown:\n${here(shown)}`).toBe(true);
}

const DO: Readonly<Record<string, (step: Step) => Promise<void>>> = {
  run: async (step) => {
    const printed = await runBlock(step);
    for (const [i, { output }] of step.parts.entries()) expectShown(printed[i] ?? "", output);
  },
  start: async ({ name, parts }) => {
    const [part] = parts;
    const program = runProgram(wordsOf(part?.command ?? ""), { cwd: ROOT, env });
    running.set(name, program);
    const shown = part?.output ?? "";
    if (shown === "") return;
    await until("what the page shows", () => program.stdout().endsWith("\n"), 20_000);
    expectShown(program.stdout(), shown);
  },
  screen: async ({ name, parts }) => {
    const [part] = parts;
    const given = Object.entries(env).map(([key, value]) => `${key}=${value}`);
    const size = { columns: 100, rows: 30, env: given };
    const screen = runOnScreen(wordsOf(part?.command ?? ""), size);
    screens.set(name, screen);
    for (const row of (part?.output ?? "").split("\n")) await screen.shows(row);
  },
  shows: async ({ name, parts }) => {
    for (const row of (parts[0]?.output ?? "").split("\n")) await of(screens, name).shows(row);
  },
  press: async ({ name, rest }) => {
    of(screens, name).press(rest);
    return Promise.resolve();
  },
  type: async ({ name, rest }) => {
    of(screens, name).press("-l", rest);
    await of(screens, name).shows(rest);
  },
  ends: async ({ name, parts }) => {
    const program = of(running, name);
    await program.ended(20_000);
    expectShown(program.stdout(), parts[0]?.output ?? "");
    lastId = /perm-[0-9a-f-]{36}/.exec(program.stdout())?.[0] ?? "no id";
    await recorded(lastId);
  },
  gone: async () => {
    const served = ["doctor", "--parent", "lead"];
    await until(
      "the parent is gone",
      async () => {
        await using doctor = runProgram(served, { env });
        return (await doctor.ended()) === 1;
      },
      20_000,
    );
  },
};

/** A reader of the page takes longer than the records do. */
async function recorded(id: string): Promise<void> {
  await until(
    "the last record of the ask",
    async () => {
      await using trace = runProgram(["audit", "trace", id], { env });
      await trace.ended();
      return trace.stdout().match(/decision: deny/g)?.length === 2;
    },
    20_000,
  );
}

afterAll(async () => {
  for (const screen of screens.values()) screen[Symbol.dispose]();
  for (const program of [...running.values()].toReversed()) {
    program.kill("SIGTERM");
    await program.ended();
  }
  folder[Symbol.dispose]();
});

describe.skipIf(NO_TMUX !== null)("the tutorial", () => {
  it("prints at each step what the page shows", async () => {
    env["ASKFABRIC_NATS_SERVER"] = (await testServer()).command;
    const program = join(folder.path, "askfabric");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
    chmodSync(program, 0o755);
    for (const step of steps) await DO[step.kind]?.(step);
    expect(steps.map(({ kind }) => kind).filter((kind) => DO[kind] === undefined)).toEqual([]);
  }, 120_000);

  it("runs every command of the program that the page shows", () => {
    const shown = readFileSync(PAGE, "utf8").match(/^\$ .*$/gm);
    const run = steps.flatMap(({ parts }) => parts).filter(({ command }) => command !== null);
    expect(run.map(({ command }) => `$ ${String(command)}`)).toEqual(shown);
  });
});

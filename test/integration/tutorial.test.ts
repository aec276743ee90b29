import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/askfabric.ts";
import { expectShown, openPage, type PageScene, wordsOf } from "../support/page-player.ts";
import { NO_TMUX, runOnScreen, type ScreenProgram } from "../support/screen.ts";
import { readSteps, type Step } from "../support/tutorial-page.ts";
import { until } from "../support/until.ts";

const PAGE = fileURLToPath(new URL("../../docs/tutorial/first-ask.md", import.meta.url));
const steps = readSteps(PAGE);

// Whoever runs the tests without it is told what was not tested.
if (NO_TMUX !== null) process.stderr.write(`skipped: ${NO_TMUX}\n`);

const screens = new Map<string, ScreenProgram>();
let page: PageScene;
let lastId = "no id";

function screenOf(name: string): ScreenProgram {
  const found = screens.get(name);
  if (found === undefined) throw new Error(`no step of the page started ${name}`);
  return found;
}

const DO: Readonly<Record<string, (step: Step) => Promise<void>>> = {
  run: async (step) => page.run(step, lastId),
  start: async (step) => {
    await page.start(step);
  },
  screen: async ({ name, parts }) => {
    const [part] = parts;
    const given = Object.entries(page.env).map(([key, value]) => `${key}=${value}`);
    const size = { columns: 100, rows: 30, env: given };
    const screen = runOnScreen(wordsOf(part?.command ?? ""), size);
    screens.set(name, screen);
    for (const row of (part?.output ?? "").split("\n")) await screen.shows(row);
  },
  shows: async ({ name, parts }) => {
    for (const row of (parts[0]?.output ?? "").split("\n")) await screenOf(name).shows(row);
  },
  press: async ({ name, rest }) => {
    screenOf(name).press(rest);
    return Promise.resolve();
  },
  type: async ({ name, rest }) => {
    screenOf(name).press("-l", rest);
    await screenOf(name).shows(rest);
  },
  ends: async ({ name, parts }) => {
    const program = page.started(name);
    await program.ended(20_000);
    expectShown(program.stdout(), page.here(parts[0]?.output ?? ""));
    lastId = /perm-[0-9a-f-]{36}/.exec(program.stdout())?.[0] ?? "no id";
    await recorded(lastId);
  },
  gone: async () => {
    const served = ["doctor", "--parent", "lead"];
    await until(
      "the parent is gone",
      async () => {
        await using doctor = runProgram(served, page);
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
      await using trace = runProgram(["audit", "trace", id], page);
      await trace.ended();
      return trace.stdout().match(/decision: deny/g)?.length === 2;
    },
    20_000,
  );
}

afterAll(async () => {
  for (const screen of screens.values()) screen[Symbol.dispose]();
  if (NO_TMUX === null) await page[Symbol.asyncDispose]();
});

describe.skipIf(NO_TMUX !== null)("the tutorial", () => {
  it("prints at each step what the page shows", async () => {
    page = await openPage("/tmp/first-ask");
    for (const step of steps) await DO[step.kind]?.(step);
    expect(steps.map(({ kind }) => kind).filter((kind) => DO[kind] === undefined)).toEqual([]);
  }, 120_000);

  it("runs every command of the program that the page shows", () => {
    const shown = readFileSync(PAGE, "utf8").match(/^\$ .*$/gm);
    const run = steps.flatMap(({ parts }) => parts).filter(({ command }) => command !== null);
    expect(run.map(({ command }) => `$ ${String(command)}`)).toEqual(shown);
  });
});

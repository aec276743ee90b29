import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runProgram } from "../support/askfabric.ts";
import { expectShown, openPage, type PageScene } from "../support/page-player.ts";
import { readSteps, type Step } from "../support/tutorial-page.ts";
import { until } from "../support/until.ts";

const PAGE = fileURLToPath(
  new URL("../../docs/how-to/relay-through-a-middle-session.md", import.meta.url),
);
const steps = readSteps(PAGE);

let page: PageScene;
let id = "no id";
beforeAll(async () => {
  page = await openPage("/tmp/relay");
});
afterAll(async () => page[Symbol.asyncDispose]());

const lastLine = (name: string): string =>
  page.started(name).stdout().trim().split("\n").at(-1) ?? "";

/** A reader of the page takes longer than the records do. */
async function recorded(): Promise<void> {
  await until(
    "the last record of the ask",
    async () => {
      await using trace = runProgram(["audit", "trace", id], page);
      await trace.ended();
      return trace.stdout().match(/decision: allow/g)?.length === 3;
    },
    20_000,
  );
}

const DO: Readonly<Record<string, (step: Step) => Promise<void>>> = {
  run: async (step) => page.run(step, id),
  start: async (step) => {
    await page.start(step);
  },
  prints: async ({ name, parts }) => {
    const line = await page.started(name).line("the prompt", ({ prompt }) => prompt);
    id = (line as { requestId: string }).requestId;
    expectShown(lastLine(name), parts[0]?.output ?? "");
  },
  say: async ({ name, parts }) => {
    const said = (parts[0]?.output ?? "").replaceAll(/perm-[0-9a-f-]{36}/g, id);
    page.started(name).say(said);
    return Promise.resolve();
  },
  ends: async ({ name, parts }) => {
    await page.started(name).ended(20_000);
    expectShown(lastLine(name), parts[0]?.output ?? "");
    await recorded();
  },
};

describe("the page about relays", () => {
  it("prints at each step what it shows", async () => {
    for (const step of steps) await DO[step.kind]?.(step);
    expect(steps.map(({ kind }) => kind).filter((kind) => DO[kind] === undefined)).toEqual([]);
  }, 120_000);

  it("runs every command of the program that it shows", () => {
    const shown = readFileSync(PAGE, "utf8").match(/^\$ .*$/gm);
    const run = steps.flatMap(({ parts }) => parts).filter(({ command }) => command !== null);
    expect(run.map(({ command }) => `$ ${String(command)}`)).toEqual(shown);
  });
});

import { spawn } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { MAIN, type RunningProgram, runProgram } from "./askfabric.ts";
import { testServer } from "./nats-servers.ts";
import { type TempFolder, tempFolder } from "./temp-folder.ts";
import { isAsShown, type Step } from "./tutorial-page.ts";
import { until } from "./until.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Where the commands of a page run: a data folder of its own in the place of the one that the page names. */
export interface PageScene extends AsyncDisposable {
  readonly folder: TempFolder;
  readonly env: Readonly<Record<string, string>>;
  /** What a page shows, in the words of this run. */
  here(text: string): string;
  /** Runs the commands of a step in one shell and compares what they print; ids of the page become `id`. */
  run(step: Step, id: string): Promise<void>;
  /** Starts the program of a step and compares what it prints first. */
  start(step: Step): Promise<RunningProgram>;
  started(name: string): RunningProgram;
}

/** The words of a command line of a page behind the program's name; quotes are the page's only ones. */
export function wordsOf(command: string): readonly string[] {
  return [...command.replace(/^askfabric /, "").matchAll(/'([^']*)'|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? "",
  );
}

/** Demands that what was printed is what the page shows. */
export function expectShown(printed: string, shown: string): void {
  expect(isAsShown(printed, shown), `printed:\n${printed}\nshown:\n${shown}`).toBe(true);
}

/** Opens the scene of a page that works in `pageData`, such as `/tmp/first-ask`. */
export async function openPage(pageData: string): Promise<PageScene> {
  const folder = tempFolder();
  const data = join(folder.path, "data");
  const env = { ASKFABRIC_DATA: data, ASKFABRIC_NATS_SERVER: (await testServer()).command };
  const running = new Map<string, RunningProgram>();
  const program = join(folder.path, "askfabric");
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`);
  chmodSync(program, 0o755);
  const here = (text: string): string => text.replaceAll(pageData, data);
  return {
    folder,
    env,
    here,
    run: async (step, id) => {
      const printed = await runBlock(step, { folder: folder.path, env, id });
      for (const [i, { output }] of step.parts.entries()) {
        expectShown(printed[i] ?? "", here(output));
      }
    },
    start: async ({ name, parts }) => {
      const [part] = parts;
      const started = runProgram(wordsOf(part?.command ?? ""), { cwd: ROOT, env });
      running.set(name, started);
      const shown = part?.output ?? "";
      if (shown === "") return started;
      await until("what the page shows", () => started.stdout().endsWith("\n"), 20_000);
      expectShown(started.stdout(), here(shown));
      return started;
    },
    started: (name) => {
      const found = running.get(name);
      if (found === undefined) throw new Error(`no step of the page started ${name}`);
      return found;
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of [...running.values()].toReversed()) {
        one.kill("SIGTERM");
        await one.ended();
      }
      folder[Symbol.dispose]();
    },
  };
}

/** Runs the commands of one block in one shell; what each printed. */
async function runBlock(
  { parts }: Step,
  of: { folder: string; env: Readonly<Record<string, string>>; id: string },
): Promise<readonly string[]> {
  const mark = "@@@ end of a command @@@";
  const lines = parts.flatMap(({ command }) => [
    (command ?? "").replaceAll(/perm-[0-9a-f-]{36}/g, of.id),
    `code=$?; echo "${mark}"; (exit $code)`,
  ]);
  const shell = spawn("sh", ["-c", lines.join("\n")], {
    cwd: ROOT,
    env: { PATH: `${of.folder}:${process.env["PATH"] ?? ""}`, HOME: of.folder, ...of.env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  shell.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  await new Promise((resolve) => shell.once("close", resolve));
  return out.split(`${mark}\n`).slice(0, parts.length);
}

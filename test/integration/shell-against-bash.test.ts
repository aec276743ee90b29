import { resolve } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { expandGlob, globBudget } from "../../src/gates/expand-glob.ts";
import { analyzeShell, type ShellUnit } from "../../src/shell/analyze-shell.ts";
import { knownValues } from "../../src/shell/known-values.ts";
import { loadShell } from "../../src/shell/load-shell.ts";
import type { ShellPath } from "../../src/shell/path-tokens.ts";
import { readShell } from "../../src/shell/read-shell.ts";
import type { ShellWord } from "../../src/shell/reader.ts";
import { runs } from "../support/random-tests.ts";
import { brokenCommand, shellCommand } from "../support/shell-commands.ts";
import { type Called, openShellLab } from "../support/shell-lab.ts";

await loadShell(60_000);

/** Commands that each shell runs; most are floored and need no run. */
const RUNS = Number(process.env["ASKFABRIC_TEST_COMMANDS"] ?? runs(400));

/** Time enough for so many commands, in milliseconds. */
const limitOf = (commands: number): number => 60_000 + commands * 100;

const SEPARATOR = "\u001f";

function escaped(text: string): string {
  return SEPARATOR + text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}

/** The calls that a unit may lead to. */
function callsOf({ value }: ShellUnit): RegExp {
  const found = readShell(value);
  const [command] = found?.commands ?? [];
  if (found === null || command === undefined) return /$^/;
  const known = knownValues(found);
  const [name, ...args] = command.words;
  const base = name === undefined ? "" : name.text.slice(name.text.lastIndexOf("/") + 1);
  const textsOf = (word: ShellWord): readonly string[] =>
    known.textsOf({ ...word, elsewhere: null }) ?? [word.text];
  const parts = args.map((word) => {
    // What is expanded or matched with files may become any number of words.
    if (!word.literal || /[*?[~]/.test(word.syntax)) return "[^]*";
    const texts = textsOf(word).filter((text) => text !== "" || !word.syntax.includes("{"));
    const chosen = texts.map(escaped).join("");
    // Not every shell knows braces and `$'…'`.
    const others = [word.text, word.elsewhere?.text ?? word.text].map(escaped);
    return `(?:${[chosen, ...others].join("|")})`;
  });
  return new RegExp(`^${escaped(base).slice(1)}${parts.join("")}$`);
}

function lineOf({ name, args }: Called): string {
  return [name, ...args].join(SEPARATOR);
}

/** The files that a recorded call of a command for files was given, as absolute paths. */
function filesOf({ name, args, folder }: Called): readonly string[] {
  if (name !== "cat" && name !== "rm") return [];
  const files = args.filter((arg) => !/^(?:-.*|\d*|\/dev\/fd\/.*)$/s.test(arg));
  return files.map((file) => resolve(folder, file));
}

describe.each(["bash", "dash"])("what %s runs of a command that rules could allow", (shell) => {
  const lab = openShellLab(shell);
  afterAll(lab.close);

  const atHome = (text: string): string => text.replace(/^(?:~|\$HOME)(?=\/|$)/, lab.home);

  /** What a pattern finds before the command changes anything. */
  const foundBy = (glob: string): readonly string[] =>
    expandGlob(atHome(glob), { start: lab.work, list: lab.list, budget: globBudget() }) ?? [];

  /** The paths told apart, as absolute ones. */
  const namedIn = (paths: readonly ShellPath[]): readonly string[] =>
    paths
      .flatMap(({ text, glob }) => [atHome(text), ...(glob === undefined ? [] : foundBy(glob))])
      .map((text) => resolve(lab.work, text));

  /** What a unit's own reading does not foresee of a call, if a rule could allow the command. */
  function strayIn(command: string): {
    readonly called: number;
    readonly stray: readonly string[];
  } {
    const { units, paths } = analyzeShell(command);
    if (units.some(({ floor }) => floor !== null)) return { called: 0, stray: [] };
    const calls = lab.run(command) ?? [];
    const known = units.map(callsOf);
    const unknown = calls.map(lineOf).filter((line) => !known.some((one) => one.test(line)));
    const named = namedIn(paths);
    const files = calls.flatMap(filesOf).filter((file) => !named.includes(file));
    return { called: calls.length, stray: [...unknown, ...files] };
  }

  it(
    "is among its units, and its files among its paths",
    () => {
      let called = 0;
      const property = fc.property(fc.oneof(shellCommand, brokenCommand), (command) => {
        const { called: count, stray } = strayIn(command);
        called += count;
        expect([command, stray]).toEqual([command, []]);
      });
      fc.assert(property, { numRuns: RUNS });
      expect(called).toBeGreaterThan(RUNS / 20);
    },
    limitOf(RUNS),
  );
});

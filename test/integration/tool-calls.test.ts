import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { LINE_SCHEMAS } from "../../src/cli/line-schemas.ts";
import type { OutcomeLine } from "../../src/cli/lines.ts";
import { answerEach, openBench, type SeenPrompt } from "../support/session-pair.ts";
import { tempFolder } from "../support/temp-folder.ts";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const CALLS = readFileSync(at("test/data/tool-calls.jsonl"), "utf8").trim().split("\n");

/** How each call ends, and who decided each of its requests. */
const EXPECTED: Readonly<Record<string, readonly string[]>> = {
  "allowed rule": ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "c18"],
  "allowed rule rule": ["c14"],
  "allowed user rule": ["c15"],
  "allowed user": [
    "c8",
    "c9",
    "c10",
    "c19",
    "c21",
    "c24",
    "c26",
    "c27",
    "c28",
    "c29",
    "c30",
    "c31",
    "c32",
  ],
  "allowed user user": ["c16", "c23"],
  "denied rule": ["c12", "c13", "c17", "c20"],
  "denied user": ["c11", "c22", "c25"],
};

const EXPECTED_ENDS = Object.entries(EXPECTED)
  .flatMap(([how, ids]) => ids.map((id) => `${id} ${how}`))
  .sort();

const deciders = (line: OutcomeLine): string =>
  [line.outcome, ...line.requests.map(({ decidedBy }) => innermost(decidedBy))].join(" ");

function innermost(source: OutcomeLine["requests"][number]["decidedBy"]): string {
  return source.kind === "forwarded" && source.decision !== null
    ? innermost(source.decision)
    : source.kind;
}

function answerOf({ value }: SeenPrompt): Readonly<Record<string, unknown>> {
  return /push|setup\.sh|\\u202e/.test(value)
    ? { answer: "deny", reason: "not on a Friday" }
    : { answer: "allow" };
}

it("a coding session's calls get exactly one outcome each, by rule, by answer or refused", async () => {
  await using bench = await openBench();
  const rules = at("deploy/examples/rules.json");
  const lead = await bench.serve("lead", ["--config", rules, "--open", "8"]);
  answerEach(lead, answerOf);
  // An empty folder: whether a name of the calls is a link out of this repository must not matter.
  using project = tempFolder();
  const worker = bench.run(["child", "--session", "worker", "--parent", "lead"], {
    cwd: project.path,
  });
  for (const call of CALLS) worker.say(call);
  worker.endInput();
  expect(await worker.ended(20_000)).toBe(0);

  const outcomes = worker.lines.map((line) => LINE_SCHEMAS.outcome.parse(line));
  const ends = outcomes.map((line) => `${String(line.id)} ${deciders(line)}`);
  expect(ends.sort()).toEqual(EXPECTED_ENDS);
  for (const line of lead.lines) expect(kindsOf(line)).toHaveLength(1);
});

/** The kinds of line whose schema takes this line. */
function kindsOf(line: unknown): string[] {
  return (["ready", "prompt", "withdrawn", "answered", "error"] as const).filter(
    (kind) => LINE_SCHEMAS[kind].safeParse(line).success,
  );
}

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/ask/outcome.ts";
import { aCall, childScene } from "../support/child-scene.ts";
import { setStage } from "../support/parent-stage.ts";
import { rules } from "../support/rules.ts";

const FOLDER = fileURLToPath(new URL("skew/", import.meta.url));

/** A message of another version as a child sends it, what its parent answers, and what a person is shown. */
interface ToParent {
  readonly skew: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: Readonly<Record<string, unknown>> & { readonly kind: string };
  /** Null when nobody is asked; a field that is null must be absent. */
  readonly shown: Readonly<Record<string, unknown>> | null;
  /** A text that must reach nobody. */
  readonly hidden?: string;
}

/** A message of another version as a parent sends it, with the right proof, and how the ask ends by it. */
interface ToChild {
  readonly skew: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly outcome: Readonly<Record<string, unknown>>;
}

function goldenIn<T>(folder: string): readonly (T & { readonly file: string })[] {
  return readdirSync(`${FOLDER}${folder}`).map((file) => ({
    ...(JSON.parse(readFileSync(`${FOLDER}${folder}/${file}`, "utf8")) as T),
    file,
  }));
}

const SUBJECT = "af.v1.test.ask.parent-1.child-1";

const PARENT_RULES = rules({ "*": "ask", bash: { "git *": "allow", "rm *": "deny" } });

const KINDS: readonly (readonly [field: string, kind: string])[] = [
  ["lost", "refused"],
  ["approved", "decision"],
  ["effect", "withdrawn"],
  ["state", "accepted"],
];

const kindOf = (body: object): string =>
  KINDS.find(([field]) => Object.hasOwn(body, field))?.[1] ?? "nothing";

describe("a parent that hears a child of another version", () => {
  it.each(goldenIn<ToParent>("to-parent"))("$file: $skew", async ({ body, answer, ...rest }) => {
    await using stage = setStage();
    const { terminal } = await stage.start({ rules: { global: PARENT_RULES } });
    stage.child().port.publish(SUBJECT, Buffer.from(JSON.stringify(body)));
    await stage.pass(20);
    const sent = stage.sent(String(body["id"])).map(({ text }) => JSON.parse(text) as object);
    const [first] = sent.map((message) => ({ ...message, kind: kindOf(message) }));
    expect(first).toMatchObject(answer);
    const shown = terminal.put.map(({ ask }) => absentAsNull(ask.details, rest.shown));
    expect(shown).toMatchObject(listOf(rest.shown));
    const everything = JSON.stringify(terminal.put.map(({ ask }) => ask.details));
    expect(listOf(rest.hidden).filter((text) => everything.includes(text))).toEqual([]);
  });

  it("puts an ask without facts to a person also in yolo mode", async () => {
    await using stage = setStage();
    const { terminal } = await stage.start({ rules: { global: PARENT_RULES, yolo: true } });
    const without = /^old-(?:no-intent|no-units|message-no-payload)\.json$/;
    const old = goldenIn<ToParent>("to-parent").filter(({ file }) => without.test(file));
    for (const { file, body } of old) {
      const text = JSON.stringify({ ...body, id: `perm-${file}` });
      stage.child().port.publish(SUBJECT, Buffer.from(text));
    }
    await stage.pass(20);
    expect(terminal.put).toHaveLength(3);
  });
});

function listOf<T>(given: T | null | undefined): readonly T[] {
  return given === null || given === undefined ? [] : [given];
}

/** The details with null for what is named in `asked` and absent. */
function absentAsNull(details: object, asked: object | null): object {
  const absent = Object.keys(asked ?? {}).filter((key) => !Object.hasOwn(details, key));
  return { ...details, ...Object.fromEntries(absent.map((key) => [key, null])) };
}

/** Whether a lost ask is told as somebody's decision. */
function blamesSomebody({ outcome, text }: Outcome): boolean {
  return outcome === "lost" && /user|denied/i.test(text);
}

describe("a child that hears a parent of another version", () => {
  it.each(goldenIn<ToChild>("to-child"))("$file: $skew", async ({ body, outcome }) => {
    await using scene = await childScene();
    const ended = scene.child.decide(aCall());
    const heard = await scene.ask();
    const text = JSON.stringify(body)
      .replace("$requestId", heard.ask.id)
      .replace("$askDigest", heard.askDigest);
    scene.parent.repeat(heard, text);
    const told = await ended;
    expect(told).toMatchObject(outcome);
    expect(blamesSomebody(told)).toBe(false);
  });

  it("takes a grant of an unknown width for the narrow one", async () => {
    await using scene = await childScene();
    const ended = scene.child.decide(aCall("git push origin main"));
    const heard = await scene.ask();
    const width = { sessionGrantWidth: "everything" } as object;
    scene.parent.decide(heard, { state: "approved_for_session", ...width });
    await ended;
    expect(scene.journal.read.grants(0, "child_session").map((grant) => grant.width)).toEqual([
      "proven",
    ]);
  });
});

it("the page about upgrades tells every skew as its golden message does", () => {
  const page = readFileSync(
    fileURLToPath(new URL("../../docs/how-to/upgrade-in-order.md", import.meta.url)),
    "utf8",
  );
  const told = [...page.matchAll(/^\| `([a-z-]+\/[a-z-]+)` \| (.+) \| .+ \|$/gm)].map(
    ([, name, skew]) => [name, skew],
  );
  const golden = ["to-parent", "to-child"].flatMap((folder) =>
    goldenIn<ToParent | ToChild>(folder).map(({ file, skew }) => [
      `${folder}/${file.replace(/\.json$/, "")}`,
      skew,
    ]),
  );
  const rowsOf = (rows: readonly unknown[]): ReadonlySet<string> =>
    new Set(rows.map((row) => JSON.stringify(row)));
  expect(rowsOf(told)).toEqual(rowsOf(golden));
});

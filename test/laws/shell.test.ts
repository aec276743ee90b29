import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { analyzeShell, type ShellUnit } from "../../src/shell/analyze-shell.ts";
import { UNPARSEABLE_COMMAND } from "../../src/shell/floors.ts";
import { loadShell } from "../../src/shell/load-shell.ts";
import { commandInside, otherReadings } from "../../src/shell/readings.ts";
import { runs } from "../support/random-tests.ts";
import { commandFacts, globally } from "../support/rules.ts";
import { brokenCommand, shellCommand } from "../support/shell-commands.ts";

/** Commands that each law is tried on. */
const RUNS = runs(300);

const POLICY = globally({ bash: { "*": "allow", "rm *": "deny", "curl *": "ask" } });

function judge(command: string): string {
  const { units } = analyzeShell(command);
  const facts = { ...commandFacts(command), units };
  return POLICY.judge({ facts, agent: null, grants: [] }).state;
}

const STRICT = ["allow", "ask", "deny"];
const strictness = (command: string): number => STRICT.indexOf(judge(command));

const command = fc
  .tuple(fc.constantFrom("rm", "curl"), fc.array(fc.constantFrom("x", "-f", "'a b'", '"$(ls)"')))
  .map(([name, args]) => [name, "y", ...args].join(" "));

type Change = (text: string) => string;

/** What may stand around commands without a change of what they do. */
const around: readonly Change[] = [
  (text) => `ls; ${text}`,
  (text) => `ls && ${text}`,
  (text) => `true | ${text}`,
  (text) => `# it's\n${text}`,
  (text) => `${text}\n# it's "`,
  (text) => `${text}\nls`,
  (text) => `( ${text}\n)`,
  (text) => `{ ${text}\n}`,
  (text) => `! ${text}`,
  (text) => `if true; then ${text}\nfi`,
  (text) => `while true; do ${text}\ndone`,
  (text) => `for i in a b; do ${text}\ndone`,
  (text) => `case a in *) ${text}\n;; esac`,
  (text) => `f() { ${text}\n}`,
  (text) => `echo $( ${text}\n)`,
  (text) => `echo "a $( ${text}\n)"`,
  (text) => `cat <( ${text}\n)`,
  (text) => `cat <<EOF\n$( ${text})\nEOF`,
  (text) => `cat <<EOF | ( ${text})\nhi\nEOF`,
  (text) => `cat <<'EOF' && ls\n$(it's\nEOF\n${text}`,
];

/** What may be done to one command without a change of what it does. */
const within: readonly Change[] = [
  (text) => `A=1 ${text}`,
  (text) => `2>/dev/null ${text}`,
  (text) => `${text} >out 2>&1`,
  (text) => `${text} # a 'comment`,
  (text) => text.replace(/\b(rm|curl)\b/, "'$1'"),
  (text) => text.replace(/\b(r|c)(m|url)\b/, '$1"$2"'),
  (text) => text.replace(/\b(r|c)(m|url)\b/, "$1\\\n$2"),
  (text) => text.replace(/\b(rm|curl)\b/, "/usr/bin/$1"),
  (text) => text.replace(/\brm\b/, () => "$'\\x72m'"),
  (text) => text.replaceAll(" ", "  \\\n "),
  (text) => `sudo -n -- ${text}`,
  (text) => `env A=1 ${text}`,
  (text) => `timeout -s KILL 5 ${text}`,
  (text) => `bash -c '${text.replaceAll("'", String.raw`'\''`)}'`,
  (text) => `trap '${text.replaceAll("'", String.raw`'\''`)}' EXIT`,
];

/** Says whether a text was left whole because of what it is. */
function isWhole([unit, other]: readonly ShellUnit[], text: string): boolean {
  return unit?.value === text && other === undefined && (unit.floor ?? "").startsWith("<unpars");
}

/** What is not understood, or runs nothing, is asked about whatever it does; so it need not be elsewhere. */
function isTelling(text: string): boolean {
  return !isWhole(analyzeShell(text).units, text) || judge(text) === "deny";
}

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}

/** What is found in a unit that is read alone, but was not found before. */
function strangeIn(unit: string, known: ReadonlySet<string>): readonly string[] {
  const [first, ...others] = analyzeShell(unit).units.map(({ value }) => value);
  return [...(first === unit ? [] : [unit]), ...others.filter((one) => !known.has(one))];
}

function loosened(text: string, changed: string): readonly string[] {
  return strictness(changed) < strictness(text) ? [text, changed] : [];
}

describe("a verdict on a command", () => {
  it("is never loosened by a prefix, a redirect, quoting, its path or a wrapper, and by nothing around", () => {
    const changes = fc.tuple(
      fc.constantFrom<Change>((text) => text, ...within),
      fc.array(fc.constantFrom(...around), { maxLength: 3 }),
    );
    fc.assert(
      fc.property(command, changes, (text, [inner, outer]) => {
        const changed = outer.reduce((now, apply) => apply(now), inner(text));
        expect(loosened(text, changed)).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it("is never loosened by what stands around commands of any shape", () => {
    fc.assert(
      fc.property(shellCommand, fc.constantFrom(...around), (text, apply) => {
        fc.pre(isTelling(text));
        expect(loosened(text, apply(text))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

describe("a verdict for which there was no time", () => {
  afterEach(async () => loadShell(60_000));

  it("is never looser than the one there was time for", async () => {
    const padding = '\necho "$a"'.repeat(40);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(command, fc.constantFrom(...around), async (text, apply) => {
        // Each text is a new one: what was found once is remembered.
        const padded = `${apply(text)}${padding}\necho "${String((count += 1))}"`;
        await loadShell(-1);
        const late = strictness(padded);
        expect(analyzeShell(padded).units[0]?.floor).toBe(UNPARSEABLE_COMMAND);
        await loadShell(60_000);
        expect([padded, late]).toEqual([padded, Math.max(late, strictness(padded))]);
      }),
      { numRuns: RUNS },
    );
  });

  it("keeps the paths that a rule may deny", async () => {
    const text = `cat /etc/shadow${'\necho "$a"'.repeat(40)}`;
    await loadShell(-1);
    expect(analyzeShell(text).units[0]?.floor).toBe(UNPARSEABLE_COMMAND);
    expect(JSON.stringify(analyzeShell(text).paths)).toContain("/etc/shadow");
  });
});

describe("a command's units", () => {
  it("mean the same when they are read alone", () => {
    fc.assert(
      fc.property(shellCommand, (text) => {
        const { units } = analyzeShell(text);
        fc.pre(!isWhole(units, text));
        const known = new Set(units.map(({ value }) => value));
        const strange = units.flatMap(({ value }) => strangeIn(value, known));
        expect([text, strange]).toEqual([text, []]);
      }),
      { numRuns: RUNS },
    );
  });

  it("are told of any text whatever, each found in the text or the text itself", () => {
    const bytes = fc.string({ unit: "binary", maxLength: 60 });
    fc.assert(
      fc.property(fc.oneof(brokenCommand, bytes, fc.string()), (text) => {
        const { units } = analyzeShell(text);
        expect(units.length).toBeGreaterThan(0);
        const lost = units.filter((unit) => !text.includes(firstLine(unit.value)));
        expect([text, lost]).toEqual([text, []]);
        expect(otherReadings(text)).not.toContain(text);
        expect(commandInside(text)).not.toBe("");
      }),
      { numRuns: RUNS },
    );
  });

  it.each([
    "(",
    "{ ",
    "$(",
    '"$(',
    "`",
    "((",
    "$((",
    "${a:-",
    "[[ ",
    "<(",
    "a <<E\n",
    "if a; then ",
  ])("end in time for 60,000 characters of %j", (piece) => {
    const text = piece.repeat(Math.floor(60_000 / piece.length));
    for (const one of [text, `${text} x`]) {
      expect(analyzeShell(one).units[0]?.floor).toMatch(/^<unpars/);
    }
  });

  it.each([
    "a;",
    "a|",
    "a 'b' ",
    "$x ",
    "{a,b}",
    "{a,b} ",
    "a=b ",
    "x=$x;",
    "\\\n",
    "# a\n",
    "cd a;",
  ])("come to an end for 60,000 characters of %j", (piece) => {
    const text = `echo ${piece.repeat(Math.floor(60_000 / piece.length))}`;
    expect(analyzeShell(text).units.length).toBeGreaterThan(0);
    expect(otherReadings(text).length).toBeGreaterThanOrEqual(0);
  });
});

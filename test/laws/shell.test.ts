import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { composePolicy } from "../../src/policy/compose-policy.ts";
import { analyzeShell } from "../../src/shell/analyze-shell.ts";
import { otherReadings } from "../../src/shell/readings.ts";
import { sourcesOf } from "../conformance/ops/scenery.ts";

const judge = (command: string): string => {
  const policy = composePolicy(
    sourcesOf({ global: { bash: { "*": "allow", "rm *": "deny", "curl *": "ask" } } }),
    { home: "/home/ann", platform: "linux" },
  );
  const { units } = analyzeShell(command);
  const facts = { surface: "bash", matchValues: [command], boundaryValue: null, units };
  return policy.judge({ facts, agent: null, grants: [] }).state;
};

const command = fc
  .tuple(fc.constantFrom("rm", "curl"), fc.array(fc.constantFrom("x", "-f", "'a b'", '"$(ls)"')))
  .map(([name, args]) => [name, "y", ...args].join(" "));

type Change = (text: string) => string;

const change = fc.constantFrom<Change>(
  (text) => `ls; ${text}`,
  (text) => `ls && ${text}`,
  (text) => `true | ${text} | wc`,
  (text) => `${text} # a 'comment`,
  (text) => `# it's\n${text}`,
  (text) => `A=1 ${text}`,
  (text) => `2>/dev/null ${text}`,
  (text) => `(${text})`,
  (text) => `{ ${text}; }`,
  (text) => `! ${text}`,
  (text) => `if true; then ${text}; fi`,
  (text) => `f() { ${text}; }`,
  (text) => `echo $(${text})`,
  (text) => `echo "a $(${text})"`,
  (text) => `cat <(${text})`,
  (text) => `cat <<EOF\n$(${text})\nEOF`,
  (text) => `cat <<EOF | (${text})\nhi\nEOF`,
  (text) => text.replace(/\b(rm|curl)\b/, "'$1'"),
  (text) => text.replace(/\b(r|c)(m|url)\b/, '$1"$2"'),
  (text) => `sudo -n -- ls; ${text}`,
);

const STRICT = ["allow", "ask", "deny"];

describe("the analysis of a command", () => {
  it("never lets a prefix, a comment, quoting or grouping loosen a verdict", () => {
    fc.assert(
      fc.property(command, fc.array(change, { minLength: 1, maxLength: 3 }), (text, changes) => {
        const changed = changes.reduce((now, apply) => apply(now), text);
        const before = STRICT.indexOf(judge(text));
        expect([changed, STRICT.indexOf(judge(changed)) >= Math.min(before, 1)]).toEqual([
          changed,
          true,
        ]);
      }),
      { numRuns: 300 },
    );
  });

  it("ends without an error on any text and always names a unit", () => {
    const pieces =
      "$( ) ` \" ' <<EOF\n EOF \n \\ ; && | ( { } [[ ]] rm case in esac # > <( ${ $(( \r a".split(
        " ",
      );
    const piece = fc.constantFrom(...pieces, " ");
    const text = fc.oneof(
      fc.array(piece, { maxLength: 30 }).map((all) => all.join("")),
      fc.string(),
    );
    fc.assert(
      fc.property(text, (input) => {
        expect(analyzeShell(input).units.length).toBeGreaterThan(0);
        expect(Array.isArray(otherReadings(input))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

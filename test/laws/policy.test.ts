import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ForwardedAccessFacts } from "../../src/ask/facts.ts";
import type { Grant } from "../../src/ask/grant.ts";
import type { RuleAction } from "../../src/ask/verdict.ts";
import type { PermissionAction } from "../../src/policy/sources.ts";
import { isStricter } from "../../src/policy/strictness.ts";
import { compilePattern, subjectOf } from "../../src/policy/wildcard.ts";
import {
  actions,
  facts,
  grants,
  intentOf,
  names,
  patterns,
  sources,
  values,
} from "../support/policy-arbitraries.ts";
import { runs } from "../support/random-tests.ts";
import { aPolicy } from "../support/rules.ts";

/** A matcher that is too simple to be wrong: every way to spend each star, by dynamic programming. */
function reference(pattern: string, value: string): boolean {
  const tailless = pattern.replace(/\*+$/, "*");
  const alternatives = tailless.endsWith(" *") ? [pattern, tailless.slice(0, -2)] : [pattern];
  return alternatives.some((one) => matchesWhole(Array.from(one), Array.from(value)));
}

function matchesWhole(pattern: readonly string[], value: readonly string[]): boolean {
  let reached = [true, ...value.map(() => false)];
  for (const part of pattern) {
    const next = value.map((character, i) => {
      const fits = part === "?" || part === character;
      return part === "*" ? reached.slice(0, i + 2).some(Boolean) : fits && reached[i] === true;
    });
    reached = [part === "*" && reached[0] === true, ...next];
  }
  return reached.at(-1) === true;
}

function lastPattern(
  rules: readonly (readonly [string, PermissionAction])[],
  matchValues: readonly string[],
): string | null {
  const matching = rules.filter(([pattern]) =>
    matchValues.some((value) => reference(pattern, value)),
  );
  return matching.at(-1)?.[0] ?? null;
}

describe("wildcards", () => {
  it("match exactly what the reference matches", () => {
    fc.assert(
      fc.property(patterns, values, (pattern, value) => {
        expect(compilePattern(pattern)(subjectOf(value))).toBe(reference(pattern, value));
      }),
      { numRuns: runs(2000) },
    );
  });
});

describe("rules", () => {
  it("the last rule that matches wins, whatever was tried to find it fast", () => {
    const list = fc.uniqueArray(fc.tuple(patterns, actions), {
      minLength: 1,
      maxLength: 12,
      selector: ([pattern]) => pattern,
    });
    fc.assert(
      fc.property(list, fc.array(values, { minLength: 1, maxLength: 3 }), (rules, matchValues) => {
        const policy = aPolicy({ global: new Map([["crm", new Map(rules)]]) });
        const verdict = policy.judge({
          facts: { surface: "crm", matchValues, boundaryValue: null },
          agent: null,
          grants: [],
        });
        expect(verdict.matchedPattern).toBe(lastPattern(rules, matchValues));
      }),
      { numRuns: runs(1000) },
    );
  });

  it("a bare family is as strict as the stricter of its directions", () => {
    fc.assert(
      fc.property(sources, values, grants, (given, value, standing) => {
        const on = (surface: string): RuleAction =>
          aPolicy(given).judge({
            facts: { surface, matchValues: [value], boundaryValue: null },
            agent: null,
            grants: standing,
          }).state;
        const [bare, read, write] = [on("path"), on("path_read"), on("path_write")];
        const strictFirst = ["deny", "ask", "allow"] as const;
        expect(bare).toBe(strictFirst.find((state) => [read, write].includes(state)));
      }),
    );
  });
});

describe("a verdict", () => {
  it("is reached for any facts without an error, here and at a parent", () => {
    fc.assert(
      fc.property(sources, facts, names, grants, (given, asked, name, standing) => {
        const policy = aPolicy(given);
        const agent = { name, attested: false };
        const states = ["allow", "ask", "deny"];
        expect(states).toContain(policy.judge({ facts: asked, agent, grants: standing }).state);
        const intent = intentOf(asked, name);
        const answer = policy.judgeForwarded({ intent, attestedAgent: name, grants: standing });
        expect(states).toContain(answer.verdict);
        expect(answer.decidedBy === null).toBe(answer.verdict === "ask");
      }),
      { numRuns: runs(500) },
    );
  });

  it("that denies is not lifted by any grant", () => {
    fc.assert(
      fc.property(sources, facts, grants, (given, asked, standing) => {
        const judge = (held: readonly Grant[]) =>
          aPolicy(given).judge({ facts: asked, agent: null, grants: held }).state;
        expect(judge([]) === "deny").toBe(judge(standing) === "deny");
        expect(isStricter(judge(standing), judge([]))).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });

  it("that denies is not lifted by yolo, and one over incomplete facts is not allowed by it", () => {
    fc.assert(
      fc.property(sources, facts, (given, asked) => {
        const judge = (yolo: boolean, about: ForwardedAccessFacts) =>
          aPolicy({ ...given, yolo }).judgeForwarded({
            intent: intentOf(about, "nobody"),
            attestedAgent: null,
            grants: [],
          });
        const [plain, free] = [judge(false, asked), judge(true, asked)];
        expect(free.verdict === "deny").toBe(plain.verdict === "deny");
        const { units: _, ...bare } = asked;
        expect(judge(true, { ...bare, surface: "bash" }).verdict).not.toBe("allow");
      }),
      { numRuns: runs(500) },
    );
  });

  it("is never looser for an agent name that is only claimed", () => {
    fc.assert(
      fc.property(sources, facts, names, grants, (given, asked, name, standing) => {
        const policy = aPolicy(given);
        const as = (claimed: string) =>
          policy.judgeForwarded({
            intent: intentOf(asked, claimed),
            attestedAgent: null,
            grants: standing,
          }).verdict;
        expect(isStricter(as("nobody"), as(name))).toBe(false);
        const own = (agent: { name: string; attested: boolean } | null) =>
          policy.judge({ facts: asked, agent, grants: standing }).state;
        expect(isStricter(own(null), own({ name, attested: false }))).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });

  it("at a parent is never looser than the same rules make of the child's own units", () => {
    fc.assert(
      fc.property(sources, facts, (given, asked) => {
        const policy = aPolicy(given);
        const own = policy.judge({ facts: asked, agent: null, grants: [] }).state;
        const answer = policy.judgeForwarded({
          intent: intentOf(asked, "nobody"),
          attestedAgent: null,
          grants: [],
        });
        expect(isStricter(own, answer.verdict)).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });
});

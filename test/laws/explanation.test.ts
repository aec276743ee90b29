import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { explainPolicy } from "../../src/policy/explain-policy.ts";
import type { Explanation } from "../../src/policy/explanation.ts";
import { facts, grants, intentOf, names, sources } from "../support/policy-arbitraries.ts";
import { runs } from "../support/random-tests.ts";
import { aPolicy } from "../support/rules.ts";

const MACHINE = { home: "/home/ann", platform: "linux" } as const;

const LAID = { yolo: "allow", "fail-closed": "ask" } as const;

/** What the explanation itself comes to, told from nothing but its readings. */
function retold(explained: Explanation<unknown>) {
  const last = explained.overlays.at(-1);
  const decides = decidingVoice(explained);
  return {
    state: last === undefined ? stateOf(explained) : LAID[last],
    pattern: floorOf(explained) ?? decides?.verdict.matchedPattern ?? null,
    origin: last ?? decides?.verdict.origin,
  };
}

const winnerOf = ({ readings }: Explanation<unknown>) => readings.find(({ wins }) => wins);

const decidingVoice = (explained: Explanation<unknown>) =>
  winnerOf(explained)?.voices.find((voice) => voice.decides);

const stateOf = (explained: Explanation<unknown>) =>
  explained.floor === null ? winnerOf(explained)?.state : "ask";

/** The sentinel that turned the allow of the winner into an ask. */
function floorOf(explained: Explanation<unknown>): string | null {
  const winner = winnerOf(explained);
  const isTurned = winner?.state !== decidingVoice(explained)?.verdict.state;
  return explained.floor ?? (isTurned ? (winner?.floor ?? null) : null);
}

describe("an explanation", () => {
  it("names as the winner what the child's verdict names", () => {
    fc.assert(
      fc.property(sources, facts, names, grants, (given, asked, name, standing) => {
        const query = { facts: asked, agent: { name, attested: false }, grants: standing };
        const explained = explainPolicy(given, MACHINE).explain(query);
        const verdict = aPolicy(given).judge(query);
        expect(explained.verdict).toEqual(verdict);
        expect(explained.readings.filter(({ wins }) => wins)).toHaveLength(1);
        const { state, matchedPattern: pattern, origin } = verdict;
        expect(retold(explained)).toEqual({ state, pattern, origin });
      }),
      { numRuns: runs(1000) },
    );
  });

  it("of a forwarded ask comes to the parent's verdict", () => {
    fc.assert(
      fc.property(sources, facts, names, grants, (given, asked, name, standing) => {
        const query = { intent: intentOf(asked, name), attestedAgent: "mason", grants: standing };
        const explained = explainPolicy(given, MACHINE).explainForwarded(query);
        expect(explained.verdict).toEqual(aPolicy(given).judgeForwarded(query));
        expect(retold(explained).state).toBe(explained.verdict.verdict);
      }),
      { numRuns: runs(1000) },
    );
  });
});

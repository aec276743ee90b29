import { expect, it } from "vitest";
import { SILENT_LOG } from "../../../src/ask/defaults.ts";
import type { Grant } from "../../../src/ask/grant.ts";
import type { JournalReads } from "../../../src/journal/journal.ts";
import { openRuleBook } from "../../../src/parent/rule-book.ts";
import type { Policy } from "../../../src/policy/policy.ts";
import { anAsk } from "../../support/asks.ts";
import { aGrant } from "../../support/journal-parts.ts";

type Query = Parameters<Policy["judgeForwarded"]>[0];

const ASKS = { verdict: "ask", decidedBy: null, floor: null, denialReason: null } as const;

function openBook(grants: readonly Grant[] = [], judge?: () => never) {
  const queries: Query[] = [];
  let now = 0;
  const book = openRuleBook({
    policy: {
      judge: () => {
        throw new Error("a forwarded ask is judged as such");
      },
      judgeForwarded: (query) => {
        queries.push(query);
        return judge === undefined ? ASKS : judge();
      },
    },
    read: { grants: () => grants, grant: () => null } as unknown as JournalReads,
    roster: new Map([["child-1", "reviewer"]]),
    clock: { now: () => now, monotonic: () => now },
    log: SILENT_LOG,
  });
  return {
    book,
    queries,
    at: (time: number) => {
      now = time;
    },
  };
}

it("rules that fail deny as a gate error and tell nobody their own words", () => {
  const { book } = openBook([], () => {
    throw new Error("secret path");
  });
  expect(book.judge(anAsk())).toEqual({
    ruling: {
      approved: false,
      state: "denied",
      decidedBy: { kind: "gate_error", reason: "the rules of the parent failed" },
    },
    grantId: null,
  });
});

it("rules are told the agent name that the roster holds for the asking session", () => {
  const { book, queries } = openBook();
  book.judge(anAsk());
  book.judge(anAsk({ requesterSessionId: "child-2" }));
  expect(queries.map(({ attestedAgent }) => attestedAgent)).toEqual(["reviewer", null]);
});

it("rules attest no agent of a relayed ask, whose origin is only said by its relay", () => {
  const { book, queries } = openBook();
  const origin = { sessionId: "child-1", agentName: "reviewer" };
  book.judge(anAsk({ origin, path: ["child-1"] }));
  expect(queries[0]?.attestedAgent).toBeNull();
});

it("a grant is in force until it expires", () => {
  const early = aGrant({ grantId: "grant-1", expiresAt: 9_000 });
  const late = aGrant({ grantId: "grant-2", expiresAt: 20_000 });
  const { book, queries, at } = openBook([early, late]);
  at(8_999);
  book.judge(anAsk());
  at(9_000);
  book.judge(anAsk());
  expect(queries.map(({ grants }) => grants.map(({ grantId }) => grantId))).toEqual([
    ["grant-1", "grant-2"],
    ["grant-2"],
  ]);
});

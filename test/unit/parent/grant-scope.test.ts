import { describe, expect, it } from "vitest";
import type { Ruling } from "../../../src/ask/decision.ts";
import { applyGrantScope } from "../../../src/parent/grant-scope.ts";

const suggestion = { grants: [{ surface: "bash", pattern: "git push *" }] };
const approval: Ruling = {
  approved: true,
  state: "approved",
  decidedBy: { kind: "user", via: "dialog" },
};

describe("the scope of an approval", () => {
  it("once leaves nothing behind", () => {
    expect(applyGrantScope(approval, "once", suggestion)).toEqual({
      ruling: approval,
      recorded: [],
      recordedState: "approved",
    });
  });

  it("for the child's session is answered as such and recorded by the child", () => {
    const wide: Ruling = { ...approval, sessionGrantWidth: "family" };
    expect(applyGrantScope(wide, "child_session", suggestion)).toEqual({
      ruling: { ...wide, state: "approved_for_session" },
      recorded: [],
      recordedState: "approved_for_session",
    });
  });

  it("for the serving session is answered plainly and recorded here", () => {
    expect(applyGrantScope(approval, "serving_session", suggestion)).toEqual({
      ruling: approval,
      recorded: suggestion.grants,
      recordedState: "approved_for_serving_session",
    });
  });

  it.each(["child_session", "serving_session"] as const)(
    "%s without a suggestion is the plain approval it amounts to",
    (scope) => {
      const scoped = applyGrantScope(approval, scope, null);
      expect(scoped).toEqual({ ruling: approval, recorded: [], recordedState: "approved" });
    },
  );

  it("of anybody but a person reaches no further than the ask", () => {
    const byLink: Ruling = {
      approved: true,
      state: "approved",
      decidedBy: { kind: "authorizer", name: "judge", verdict: "allow", reason: null },
    };
    expect(applyGrantScope(byLink, "serving_session", suggestion).recorded).toEqual([]);
    expect(applyGrantScope(byLink, "child_session", suggestion).ruling).toEqual(byLink);
  });

  it("does not exist for a denial", () => {
    const denial: Ruling = {
      approved: false,
      state: "denied_with_reason",
      denialReason: "use staging",
      decidedBy: { kind: "user", via: "dialog" },
    };
    expect(applyGrantScope(denial, "serving_session", suggestion)).toEqual({
      ruling: denial,
      recorded: [],
      recordedState: "denied_with_reason",
    });
  });
});

import { describe, expect, it } from "vitest";
import { type Trace, traceFaults } from "../../../demo/check-trace.ts";
import { countProblems } from "../../../demo/count-records.ts";
import { type Entry, PATHS, type PathName, pathOf } from "../../../demo/paths.ts";
import type { DecisionSource } from "../../../src/ask/decision.ts";
import type { RequestOutcome } from "../../../src/ask/outcome.ts";

const RULE: DecisionSource = { kind: "rule", surface: "bash", pattern: "git *", origin: "global" };
const GRANT: DecisionSource = { kind: "session_approval", surface: "bash", pattern: "git *" };
const USER: DecisionSource = { kind: "user", via: "stdin" };
const LINK: DecisionSource = { kind: "authorizer", name: "nights", verdict: "allow", reason: null };
const NOBODY: DecisionSource = { kind: "unavailable", reason: "not_serving" };

const byLead = (decision: DecisionSource): DecisionSource => ({
  kind: "forwarded",
  responderSessionId: "lead",
  decision,
});

function aRequest(
  outcome: RequestOutcome["outcome"],
  decidedBy: DecisionSource,
  more: Partial<RequestOutcome> = {},
): RequestOutcome {
  const requestId = "perm-1";
  const resolution = "policy_allow";
  return {
    requestId,
    surface: "bash",
    value: "git push",
    outcome,
    resolution,
    decidedBy,
    ...more,
  };
}

/** A request for each path. */
const REQUESTS: Readonly<Record<PathName, RequestOutcome>> = {
  "allowed by a rule of the child": aRequest("allowed", RULE),
  "denied by a rule of the child": aRequest("denied", RULE),
  "allowed by a grant of the child": aRequest("allowed", GRANT),
  "allowed by the child's yolo mode": aRequest("allowed", { kind: "yolo", pattern: null }),
  "allowed as a read of the host's own files": aRequest("allowed", { kind: "infrastructure_read" }),
  "allowed by a rule of the parent": aRequest("allowed", byLead(RULE)),
  "denied by a rule of the parent": aRequest("denied", byLead(RULE)),
  "allowed by a grant of the parent": aRequest("allowed", byLead(GRANT)),
  "allowed by a link": aRequest("allowed", byLead(LINK)),
  "denied by a link": aRequest("denied", byLead(LINK)),
  "allowed once by a person": aRequest("allowed", byLead(USER), { state: "approved" }),
  "allowed for the session by a person": aRequest("allowed", byLead(USER), {
    state: "approved_for_session",
  }),
  "denied by a person": aRequest("denied", byLead(USER)),
  "lost, since nobody serves": aRequest("lost", NOBODY, { lost: "not_serving" }),
  "lost, since nobody answered in time": aRequest("lost", NOBODY, { lost: "timed_out" }),
  "lost, since it was taken back": aRequest("lost", NOBODY, { lost: "cancelled" }),
  "lost, since the parent had nobody to ask": aRequest("lost", byLead(NOBODY), {
    lost: "not_serving",
    state: "denied",
  }),
  "lost for another reason": aRequest("lost", NOBODY, { lost: "no_target" }),
};

const firstName = (entry: Entry): string => (typeof entry === "string" ? entry : entry[0]);

function wholeTrace(path: PathName): Trace {
  const { child, parent } = PATHS[path];
  return { child: child.map(firstName), relay: null, parent: parent.map(firstName) };
}

function without(trace: Trace, node: "child" | "parent", entry: string): Trace {
  return { ...trace, [node]: trace[node].filter((name) => name !== entry) };
}

const PATH_NAMES = Object.keys(REQUESTS) as PathName[];
const ENTRIES = PATH_NAMES.flatMap((path) =>
  (["child", "parent"] as const).flatMap((node) =>
    wholeTrace(path)[node].map((entry) => [path, node, entry] as const),
  ),
);

describe("the check of a trace", () => {
  it.each(PATH_NAMES)("finds nothing missing in a whole trace: %s", (path) => {
    expect(pathOf(REQUESTS[path])).toBe(path);
    expect(traceFaults(REQUESTS[path], wholeTrace(path))).toEqual([]);
  });

  it.each(ENTRIES)("names what is missing: %s, on the %s, %s", (path, node, entry) => {
    const faults = traceFaults(REQUESTS[path], without(wholeTrace(path), node, entry));
    expect(faults.join("\n")).toContain(entry);
    expect(faults.join("\n")).toContain(`(${node})`);
  });

  it("wants the decision of a parent that took an ask, however that ended", () => {
    const request = REQUESTS["lost, since it was taken back"];
    const whole = wholeTrace("lost, since it was taken back");
    const held = { ...whole, parent: ["forwarded_permission.accepted"] };
    expect(traceFaults(request, held)).toEqual([
      "has forwarded_permission.accepted (parent), lacks decision (parent)",
    ]);
  });

  it("finds a second decision of one node", () => {
    const whole = wholeTrace("denied by a person");
    const doubled = { ...whole, parent: [...whole.parent, "decision"] };
    expect(traceFaults(REQUESTS["denied by a person"], doubled)).toEqual([
      "has 2 decisions of the parent",
    ]);
  });

  it("wants of a relay that it took the ask, put it on and recorded one decision", () => {
    const whole = wholeTrace("allowed by a rule of the parent");
    const relay = ["forwarded_permission.accepted", "forwarded_permission.request_created"];
    const request = REQUESTS["allowed by a rule of the parent"];
    expect(traceFaults(request, { ...whole, relay: [...relay, "decision"] })).toEqual([]);
    expect(traceFaults(request, { ...whole, relay })).toEqual([
      "was relayed, lacks decision (relay)",
    ]);
  });

  it("takes no path for granted that it has no expectation for", () => {
    const odd = aRequest("denied", GRANT);
    expect(traceFaults(odd, { child: ["decision"], relay: null, parent: [] })).toEqual([
      "took a path that no expectation is written down for",
    ]);
  });
});

describe("the count of records", () => {
  it("is right when the store has what the sessions wrote", () => {
    expect(countProblems({ written: 9, kept: 9, deadLetters: 0 })).toEqual([]);
  });

  it.each([8, 10])("is wrong when the store has %d of 9 records", (kept) => {
    expect(countProblems({ written: 9, kept, deadLetters: 0 })).toEqual([
      `the sessions wrote 9 records, the store has ${String(kept)}`,
    ]);
  });

  it("is wrong when a message was set aside", () => {
    expect(countProblems({ written: 9, kept: 9, deadLetters: 1 })).toEqual([
      "1 messages were set aside",
    ]);
  });
});

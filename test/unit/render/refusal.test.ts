import { describe, expect, test } from "vitest";
import type { DecisionSource } from "../../../src/ask/decision.ts";
import { LOST_REASONS } from "../../../src/ask/lost.ts";
import { allowedText, type Refusal, refusalText } from "../../../src/render/refusal.ts";
import { aPayload } from "../../support/payloads.ts";

const shell = aPayload(
  { value: "tar czf cmd-marker.tgz /srv" },
  {
    evidence: [{ label: "input", text: "body-marker", detail: null }],
    annotations: [{ source: "critic", text: "annotation-marker" }],
  },
);

const inAnotherSession = (decision: DecisionSource | null): DecisionSource => ({
  kind: "forwarded",
  responderSessionId: "responder-marker",
  decision,
});

const aRefusal = (decidedBy: DecisionSource, denialReason?: string): Refusal =>
  denialReason === undefined ? { decidedBy } : { decidedBy, denialReason };

/** The product's own words that would make a loss look like a person's ruling. */
const PERSON = /user|person|human|operator|reviewer|approver|somebody|someone|decided by|denied/iu;

describe("refusal of a lost ask", () => {
  test.each(LOST_REASONS)("%s is named with a way out and nobody who decided", (lost) => {
    const text = refusalText(shell, { lost });
    expect(text).toContain("[askfabric] Not run: ");
    expect(text).toContain(`(${lost})`);
    expect(text).toMatch(/; .+\.$/);
    expect(text).not.toMatch(PERSON);
    expect(text).not.toMatch(/cmd-marker|body-marker|annotation-marker|\n/);
  });

  test("an agent reads what was missing", () => {
    expect(refusalText(shell, { lost: "not_serving", detail: "boss-1" })).toBe(
      "[askfabric] Not run: the bash command got no decision (not_serving), because no process " +
        "serves the parent session: boss-1; start `askfabric serve` for it, then try again.",
    );
  });

  test("a decider that was unavailable is a loss, under frames as well", () => {
    const gone = { kind: "unavailable", reason: "timed_out", at: "grandparent" } as const;
    const text = refusalText(shell, { decidedBy: inAnotherSession(gone) });
    const here = refusalText(shell, { lost: "timed_out" });
    expect(text).toBe(here.replace("because ", "because for the session that was asked, "));
  });

  test("an error says what failed and no person's name", () => {
    const decidedBy = { kind: "gate_error", reason: "lookup failed" } as const;
    const text = refusalText(shell, { decidedBy });
    expect(text).toContain("lookup failed");
    expect(text).not.toMatch(PERSON);
  });
});

describe("refusal by somebody", () => {
  test.each<[string, DecisionSource, string | undefined, string]>([
    [
      "a rule",
      { kind: "rule", surface: "bash", pattern: "tar *", origin: "project-agent" },
      "use zip",
      'by the bash rule "tar *", with the reason "use zip".',
    ],
    [
      "the default rule",
      { kind: "rule", surface: "bash", pattern: null, origin: "builtin" },
      undefined,
      "by the default rule of bash; do not look for another way to the same end.",
    ],
    [
      "a link",
      { kind: "authorizer", name: "night-watch", verdict: "deny", reason: "outside hours" },
      undefined,
      'by the authorizer "night-watch", with the reason "outside hours".',
    ],
    [
      "a person",
      { kind: "user", via: "inbox", approver: "op-1" },
      "wrong branch",
      'by the user, saying "wrong branch".',
    ],
    [
      "another session's rule",
      inAnotherSession({ kind: "rule", surface: "bash", pattern: "*czf*", origin: "global" }),
      undefined,
      'by the bash rule "*czf*" in another session; do not look for another way to the same end.',
    ],
    [
      "another session that does not say who",
      inAnotherSession(null),
      undefined,
      "in another session; do not look for another way to the same end.",
    ],
  ])("names %s", (_who, decidedBy, denialReason, ending) => {
    const text = refusalText(shell, aRefusal(decidedBy, denialReason));
    expect(text).toBe(`[askfabric] Denied: the bash command was refused ${ending}`);
  });

  test("another session's name, a rule's origin and an approver are not told", () => {
    const decidedBy = inAnotherSession({ kind: "user", via: "inbox", approver: "op-marker" });
    expect(refusalText(shell, { decidedBy })).not.toMatch(/responder-marker|op-marker/);
  });

  test("a reason stays on one line", () => {
    const decidedBy = { kind: "user", via: "dialog" } as const;
    const text = refusalText(shell, { decidedBy, denialReason: "no\u001b[2J\nthanks\u202e" });
    expect(text).toContain('"no\\x1b[2J\\nthanks\\u202e"');
  });
});

describe("the call in a text for the agent", () => {
  const deny = { kind: "rule", surface: "x", pattern: null, origin: null } as const;

  test.each([
    ["mcp", { value: "files:delete" }, "the MCP call files:delete"],
    ["tool", { toolName: "web_fetch", value: "web_fetch" }, "the web_fetch call"],
    ["path", { value: "/srv/.env" }, 'access to "/srv/.env"'],
    ["external_directory", { value: "../x" }, 'access to "../x" outside the working directory'],
    ["skill", { value: "deploy", toolName: null }, 'the skill "deploy"'],
    ["skill_read", { value: "deploy" }, 'reading the skill "deploy"'],
    [
      "bash_external_directory",
      { value: "cat /x" },
      "the bash command outside the working directory",
    ],
    ["forwarded", { value: "cat /x", toolName: null }, "the forwarded call"],
  ] as const)("of kind %s is identified without its body", (kind, request, name) => {
    const text = refusalText(aPayload(request, { kind }), { decidedBy: deny });
    expect(text).toContain(`Denied: ${name} was refused`);
  });

  test("a long name is cut", () => {
    const payload = aPayload({ value: "x".repeat(5_000) }, { kind: "path" });
    expect(refusalText(payload, { decidedBy: deny }).length).toBeLessThan(500);
  });

  test("that runs is told with who allowed it", () => {
    expect(allowedText(null, null)).toBe("[askfabric] Allowed: the call needs no permission.");
    expect(allowedText(shell, { kind: "yolo", pattern: null })).toBe(
      "[askfabric] Allowed: the bash command was allowed by yolo mode.",
    );
    expect(allowedText(shell, inAnotherSession({ kind: "user", via: "dialog" }))).toBe(
      "[askfabric] Allowed: the bash command was allowed by the user in another session.",
    );
    expect(
      allowedText(shell, { kind: "session_approval", surface: "bash", pattern: "tar *" }),
    ).toBe(
      '[askfabric] Allowed: the bash command was allowed by an approval of "tar *" for this session.',
    );
    expect(allowedText(shell, { kind: "infrastructure_read" })).toContain("agent's own files");
  });
});

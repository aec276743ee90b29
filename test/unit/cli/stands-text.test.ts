import { expect, it } from "vitest";
import type { StandingEnd } from "../../../src/ask/ports.ts";
import { standsText } from "../../../src/cli/stands-text.ts";

it.each<[string, StandingEnd]>([
  [
    "another person had denied it before",
    { outcome: "denied", decidedBy: { kind: "user", via: "dialog" } },
  ],
  [
    'the operator "alice" had allowed it before',
    {
      outcome: "allowed",
      decidedBy: { kind: "user", via: "operator", approver: "alice" },
    },
  ],
  [
    'the rule "git *" had allowed it before',
    {
      outcome: "allowed",
      decidedBy: { kind: "rule", surface: "bash", pattern: "git *", origin: "global" },
    },
  ],
  [
    'a grant of "make \\x1b*" had allowed it before',
    {
      outcome: "allowed",
      decidedBy: { kind: "session_approval", surface: "bash", pattern: "make \u001b*" },
    },
  ],
  [
    'the link "guard" had denied it before',
    {
      outcome: "denied",
      decidedBy: {
        kind: "forwarded",
        responderSessionId: "lead",
        decision: { kind: "authorizer", name: "guard", verdict: "deny", reason: null },
      },
    },
  ],
  ["it had ended without a verdict", { outcome: "lost", decidedBy: null }],
])("whoever answered too late is told: %s", (text, stands) => {
  expect(standsText(stands)).toBe(text);
});

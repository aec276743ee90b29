import { describe, expect, it } from "vitest";
import type { AskEvent, AskState } from "../../../src/child/ask-status.ts";
import {
  acceptedBy,
  decisionOf,
  dropped,
  journalled,
  line,
  PATHS,
  progressBy,
  refused,
  run,
  sent,
  timer,
  unserved,
} from "../../support/ask-steps.ts";

const stays = {
  created: "created",
  sent: "sent",
  accepted: "accepted",
  decided: "decided",
  lost: "lost",
};

/** What each event does at 100 ms in each state, where it is not told below the table at its time. */
const GRID: readonly (readonly [string, AskEvent, Readonly<Record<AskState, string>>])[] = [
  ["journalled with a connection", journalled, { ...stays, created: "created | publish" }],
  ["journalled without one", { kind: "journalled", connected: false }, stays],
  [
    "unwritten",
    { kind: "unwritten", lost: "audit_unavailable" },
    {
      ...stays,
      created: "lost | audit_unavailable",
      sent: "lost | audit_unavailable, cancel aborted",
      accepted: "lost | audit_unavailable, cancel aborted",
      decided: "lost | audit_unavailable | receipt d1 late",
    },
  ],
  ["published: sent", sent, { ...stays, created: "sent" }],
  ["published: disconnected", dropped, stays],
  [
    "published: too_large",
    { kind: "published", outcome: "too_large" },
    { ...stays, created: "lost | ask_too_large", sent: "lost | ask_too_large, cancel aborted" },
  ],
  [
    "published: closed",
    { kind: "published", outcome: "closed" },
    {
      ...stays,
      created: "lost | bus_unreachable",
      sent: "lost | bus_unreachable, cancel aborted",
      accepted: "lost | bus_unreachable, cancel aborted",
    },
  ],
  ["timer before anything is due", timer, stays],
  ["no_responders", unserved, stays],
  ["accepted", acceptedBy("3.p"), { ...stays, sent: "accepted | note 3.p" }],
  ["progress", progressBy("3.p"), { ...stays, sent: "accepted | note 3.p" }],
  [
    "accepted by a later incarnation",
    acceptedBy("10.q"),
    { ...stays, sent: "accepted | note 10.q", accepted: "accepted | note 10.q" },
  ],
  [
    "accepted by an earlier incarnation",
    acceptedBy("2.o"),
    { ...stays, sent: "accepted | note 2.o" },
  ],
  [
    "decision",
    decisionOf("d1"),
    {
      ...stays,
      sent: "decided | apply d1 | receipt d1 applied",
      accepted: "decided | apply d1 | receipt d1 applied",
      decided: "decided | receipt d1 duplicate",
      lost: "lost | receipt d1 late",
    },
  ],
  [
    "another decision",
    decisionOf("d2"),
    {
      ...stays,
      sent: "decided | apply d2 | receipt d2 applied",
      accepted: "decided | apply d2 | receipt d2 applied",
      decided: "decided | receipt d2 late",
      lost: "lost | receipt d2 late",
    },
  ],
  [
    "decision of a later incarnation that never accepted",
    decisionOf("d1", "4.p"),
    {
      ...stays,
      sent: "decided | apply d1 | receipt d1 applied",
      decided: "decided | receipt d1 duplicate",
      lost: "lost | receipt d1 late",
    },
  ],
  [
    "proven refusal",
    refused(true, "loop"),
    { ...stays, sent: "lost | loop", accepted: "lost | loop" },
  ],
  [
    "unproven refusal as malformed",
    refused(false, "ask_malformed"),
    { ...stays, sent: "lost | ask_malformed" },
  ],
  [
    "unproven refusal of the revision",
    refused(false, "version_mismatch"),
    { ...stays, sent: "lost | version_mismatch" },
  ],
  ["unproven refusal with any other reason", refused(false, "loop"), stays],
  ["withdrawn", { kind: "withdrawn" }, stays],
  [
    "unreadable",
    { kind: "unreadable" },
    {
      ...stays,
      sent: "lost | version_mismatch, cancel aborted",
      accepted: "lost | version_mismatch, cancel aborted",
    },
  ],
  [
    "parent_returned",
    { kind: "parent_returned" },
    { ...stays, sent: "sent | publish", accepted: "accepted | publish" },
  ],
  ["disconnected", { kind: "disconnected" }, stays],
  [
    "reconnected, which only the created ask was waiting for",
    { kind: "reconnected" },
    { ...stays, created: "created | publish" },
  ],
  [
    "publish_refused",
    { kind: "publish_refused" },
    {
      ...stays,
      created: "lost | permission_refused",
      sent: "lost | permission_refused, cancel aborted",
    },
  ],
  [
    "severed",
    { kind: "severed", lost: "permission_refused" },
    {
      ...stays,
      created: "lost | permission_refused",
      sent: "lost | permission_refused, cancel aborted",
      accepted: "lost | permission_refused, cancel aborted",
    },
  ],
  ...(["abort", "shutdown"] as const).map(
    (kind) =>
      [
        kind,
        { kind },
        {
          ...stays,
          created: "lost | cancelled",
          sent: "lost | cancelled, cancel aborted",
          accepted: "lost | cancelled, cancel aborted",
        },
      ] as const,
  ),
];

const STATES: readonly AskState[] = ["created", "sent", "accepted", "decided", "lost"];

describe("the ask machine", () => {
  it.each(
    GRID.flatMap(([name, event, expected]) =>
      STATES.map((state) => [name, state, event, expected[state]] as const),
    ),
  )("answers %s in state %s", (_name, state, event, expected) => {
    expect(line(run(...PATHS[state], [100, event]))).toBe(expected);
  });

  it("publishes nothing before the row is durable", () => {
    expect(line(run([0, { kind: "reconnected" }]))).toBe("created");
    expect(line(run([0, timer]))).toBe("created");
    expect(line(run([0, { kind: "parent_returned" }]))).toBe("created");
  });
});

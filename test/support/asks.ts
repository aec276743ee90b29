import type { Ask } from "../../src/ask/ask.ts";
import type { Decision } from "../../src/ask/messages.ts";
import type { PromptPayload } from "../../src/ask/payload.ts";

/** Time at which the asks of tests are created, epoch milliseconds. */
export const ASKED_AT = 1_767_225_600_000;

/** A complete payload of a shell ask. */
export function aPayload(changes: Partial<PromptPayload> = {}): PromptPayload {
  return {
    kind: "bash",
    request: {
      requester: { agentName: "reviewer", forwarded: false, sessionId: null },
      surface: "bash",
      toolName: "bash",
      invokedToolName: null,
      value: "git push origin main",
      matchedPattern: "git *",
      commandContext: null,
      executedUnit: null,
    },
    evidence: [{ label: "full command", text: "git fetch && git push origin main", detail: null }],
    annotations: [],
    ...changes,
  };
}

/** A complete ask of child-1 to parent-1. */
export function anAsk(changes: Partial<Ask> = {}): Ask {
  return {
    id: "perm-00000000-0000-4000-8000-000000000001",
    createdAt: ASKED_AT,
    expiresAt: ASKED_AT + 600_000,
    requesterSessionId: "child-1",
    targetSessionId: "parent-1",
    requesterAgentName: "reviewer",
    nonce: Buffer.alloc(32, 7).toString("base64url"),
    source: "tool_call",
    payload: aPayload(),
    surface: "bash",
    value: "git push origin main",
    sessionApproval: { grants: [{ surface: "bash", pattern: "git push *" }] },
    accessIntent: {
      surface: "bash",
      matchValues: ["git push origin main"],
      boundaryValue: null,
      units: [{ value: "git push origin main", floor: null, context: null }],
      paths: [],
      requesterCwd: "/srv/wt/feature-x",
      principal: { sessionId: "child-1", agentName: "reviewer" },
    },
    toolCallId: "call-1",
    actionDigest: "2rEMBXE1IGzPj2OIuxcXUpvdxwEWFCAkCbZxxrMvnok",
    ...changes,
  };
}

/** A person's plain approval of an ask, by parent-1. */
export function aDecision(changes: Partial<Decision> = {}): Decision {
  return {
    requestId: "perm-00000000-0000-4000-8000-000000000001",
    askDigest: "OGSZReRH9MjBoZBEPtOIpfiervM3qhcSm5w6xAoE9CU",
    incarnation: "1.k3",
    approved: true,
    state: "approved",
    responderSessionId: "parent-1",
    respondedAt: ASKED_AT + 1_000,
    decidedBy: { kind: "user", via: "dialog" },
    ...changes,
  };
}

import type { Ask } from "../../src/ask/ask.ts";
import type { PromptPayload, PromptRequestFacts } from "../../src/ask/payload.ts";

/** A complete payload of a shell ask; `request` and the rest replace what matters to a test. */
export function aPayload(
  request: Partial<PromptRequestFacts> = {},
  rest: Partial<Omit<PromptPayload, "request">> = {},
): PromptPayload {
  return {
    kind: "bash",
    request: {
      requester: { agentName: "mason", forwarded: false, sessionId: null },
      surface: "bash",
      toolName: "bash",
      invokedToolName: null,
      value: "make lint",
      matchedPattern: "make *",
      commandContext: null,
      executedUnit: null,
      ...request,
    },
    evidence: [],
    annotations: [],
    ...rest,
  };
}

/** A complete forwarded ask from `kid-1` to `boss-1`; `parts` replace what matters to a test. */
export function aForwardedAsk(parts: Partial<Ask> = {}): Ask {
  return {
    id: "perm-1f0c9a52-7d1e-4b1c-9a55-0d6f4f1f7a01",
    createdAt: 1_700_000_000_000,
    expiresAt: 1_700_000_600_000,
    requesterSessionId: "kid-1",
    targetSessionId: "boss-1",
    requesterAgentName: "mason",
    nonce: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8",
    source: "tool_call",
    payload: aPayload(),
    surface: "bash",
    value: "make lint",
    ...parts,
  };
}

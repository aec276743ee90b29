import { SILENT_LOG } from "../../src/ask/defaults.ts";
import type { PromptPermissionDetails } from "../../src/ask/details.ts";
import type { Link, LinkQuery, LinkVerdict } from "../../src/ask/ports.ts";

/** A shell ask as a link sees it. */
export function someDetails(
  value = "make lint",
  of: Partial<PromptPermissionDetails> = {},
): PromptPermissionDetails {
  return {
    requestId: "perm-1",
    source: "tool_call",
    agentName: "mason",
    payload: {
      kind: "bash",
      request: {
        requester: { agentName: "mason", forwarded: true, sessionId: "kid-1" },
        surface: "bash",
        toolName: "bash",
        invokedToolName: null,
        value,
        matchedPattern: null,
        commandContext: null,
        executedUnit: null,
      },
      evidence: [],
      annotations: [],
    },
    surface: "bash",
    value,
    forwarding: { requesterAgentName: "mason", requesterSessionId: "kid-1", via: [] },
    accessIntent: {
      surface: "bash",
      matchValues: [value],
      boundaryValue: null,
      units: [{ value, floor: null, context: null }],
    },
    ...of,
  };
}

/** Rules that leave everything open. */
export const OPEN_RULES: LinkQuery = {
  checkPermission: async () => ({ state: "ask", pattern: null, reason: null }),
};

/** Asks a link about a command; aborted after `ms`. */
export async function askOf(link: Link, value?: string, ms = 5_000): Promise<LinkVerdict> {
  return link.judge(someDetails(value), OPEN_RULES, SILENT_LOG, AbortSignal.timeout(ms));
}

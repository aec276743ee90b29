import type { PromptPayload, PromptRequestFacts } from "../../src/ask/payload.ts";
import type { TerminalAsk } from "../../src/ask/ports.ts";
import { aPayload } from "./payloads.ts";

/** An ask of the session `worker` as a terminal is handed it; the parts replace what matters to a test. */
export function aTerminalAsk(
  request: Partial<PromptRequestFacts> = {},
  parts: {
    readonly requestId?: string;
    readonly payload?: Partial<Omit<PromptPayload, "request">>;
    readonly grants?: readonly { readonly surface: string; readonly pattern: string }[];
    readonly session?: string;
    readonly ask?: Partial<TerminalAsk>;
  } = {},
): TerminalAsk {
  const { grants, session = "worker" } = parts;
  const requester = { agentName: "mason", forwarded: true, sessionId: session };
  const payload = aPayload({ requester, matchedPattern: null, ...request }, parts.payload);
  return {
    details: {
      requestId: parts.requestId ?? "perm-1f0c9a52-7d1e-4b1c-9a55-0d6f4f1f7a01",
      source: "tool_call",
      agentName: "mason",
      surface: payload.request.surface,
      value: payload.request.value,
      payload,
      forwarding: { requesterAgentName: "mason", requesterSessionId: session, via: [] },
      ...(grants === undefined ? {} : { sessionApproval: { grants } }),
    },
    expiresAt: Date.UTC(2030, 0, 1, 12),
    reprompt: 0,
    presented: () => undefined,
    ...parts.ask,
  };
}

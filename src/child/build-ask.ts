import type { Ask } from "../ask/ask.ts";
import type { ForwardedAccessIntent } from "../ask/facts.ts";
import { toWireId } from "../ask/request-id.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import { actionDigest, mintNonce } from "../bus/ask-parts.ts";
import type { ChildSelf } from "./parts.ts";
import type { Raised } from "./raised.ts";

/** The name an ask carries when its child has none for itself. */
export const NAMELESS = "unknown";

/** The ask that a raised request becomes: everything its deciders may need, fixed on this machine. */
export function buildAsk(
  self: ChildSelf & { readonly parent: string },
  call: ToolCall,
  raised: Raised,
  life: { readonly createdAt: number; readonly lifeMs: number },
): Ask {
  const { request, payload, suggestion } = raised;
  const agentName = self.agentName ?? NAMELESS;
  const digest = digestOf(call);
  return Object.freeze({
    id: toWireId(request.requestId).wireId,
    createdAt: life.createdAt,
    expiresAt: life.createdAt + life.lifeMs,
    requesterSessionId: self.session,
    targetSessionId: self.parent,
    requesterAgentName: agentName,
    nonce: mintNonce(),
    source: request.source,
    payload,
    surface: request.display.surface,
    value: request.display.value,
    ...(suggestion === null ? {} : { sessionApproval: suggestion }),
    accessIntent: intentOf(raised, call.cwd, { sessionId: self.session, agentName }),
    ...(call.toolCallId === undefined ? {} : { toolCallId: call.toolCallId }),
    ...(digest === null ? {} : { actionDigest: digest }),
  });
}

function intentOf(
  { request: { facts } }: Raised,
  requesterCwd: string,
  principal: ForwardedAccessIntent["principal"],
): ForwardedAccessIntent {
  return {
    surface: facts.surface,
    matchValues: facts.matchValues,
    boundaryValue: facts.boundaryValue,
    ...(facts.units === undefined ? {} : { units: facts.units }),
    ...(facts.paths === undefined ? {} : { paths: facts.paths }),
    requesterCwd,
    principal,
  };
}

/** Null for an input without a canonical form; the digest is a join key, not a condition. */
function digestOf(call: ToolCall): string | null {
  try {
    return actionDigest({ tool: call.toolName, input: call.input, cwd: call.cwd });
  } catch {
    return null;
  }
}

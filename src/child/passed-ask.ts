import type { Ask } from "../ask/ask.ts";
import type { PassedAsk } from "../ask/upstream.ts";
import { mintNonce } from "../bus/ask-parts.ts";
import { NAMELESS } from "./build-ask.ts";

/** Who passes an ask on, and to whom. */
export interface PassingSelf {
  readonly session: string;
  readonly parent: string;
  /** Null when this session has no name for itself. */
  readonly agentName: string | null;
}

/**
 * The ask that a session puts to its parent for another one: under the same id, with payload and facts as they came,
 * a nonce of its own, the session where it began, the sessions it has passed, and no more life than is left of it.
 */
export function passedAskOf(
  self: PassingSelf,
  { ask, agentName, deadlineAt }: Pick<PassedAsk<never>, "ask" | "agentName" | "deadlineAt">,
  now: number,
): Ask {
  return Object.freeze({
    ...ask,
    createdAt: now,
    expiresAt: Math.max(now + 1, deadlineAt),
    requesterSessionId: self.session,
    targetSessionId: self.parent,
    requesterAgentName: self.agentName ?? NAMELESS,
    nonce: mintNonce(),
    origin: ask.origin ?? Object.freeze({ sessionId: ask.requesterSessionId, agentName }),
    path: Object.freeze([...passedBefore(ask), self.session]),
  });
}

/** The sessions an ask says it passed, and in any case the one that the server attests. */
function passedBefore({ path, origin, requesterSessionId }: Ask): readonly string[] {
  const said = path ?? (origin === undefined ? [] : [origin.sessionId]);
  return said.at(-1) === requesterSessionId ? said : [...said, requesterSessionId];
}

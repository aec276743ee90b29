import type { AskOrigin, ForwardedAccessIntent } from "./facts.ts";
import type { GrantSuggestion } from "./grant.ts";
import type { PromptPayload } from "./payload.ts";
import type { RequestId } from "./request-id.ts";

/** What raised an ask. Closed list; anything else on the wire reads as `tool_call`. */
export const ASK_SOURCES = ["tool_call", "skill_input", "skill_read"] as const;

/** One of {@link ASK_SOURCES}. */
export type AskSource = (typeof ASK_SOURCES)[number];

/** Longest life an ask may state, in milliseconds. */
export const MAX_ASK_LIFE_MS = 24 * 60 * 60 * 1000;

/** Largest body of an ask, in bytes. */
export const MAX_ASK_BYTES = 256 * 1024;

/** Most sessions an ask may have passed on its way. */
export const MAX_HOPS = 8;

/** A permission request that policy could not settle, as it crosses the wire. A value: frozen and JSON-safe. */
export interface Ask {
  readonly id: RequestId;
  /** Epoch milliseconds on the child's clock. */
  readonly createdAt: number;
  /** Epoch milliseconds on the child's clock; later than `createdAt` by at most {@link MAX_ASK_LIFE_MS}. */
  readonly expiresAt: number;
  readonly requesterSessionId: string;
  readonly targetSessionId: string;
  /** A claim; `unknown` when the child has no name for itself. */
  readonly requesterAgentName: string;
  /** 32 random bytes in base64url, the key of every proof about this ask. Never recorded, never shown. */
  readonly nonce: string;
  readonly source: AskSource;
  /** Absent when none came or it was malformed: the ask is degraded. */
  readonly payload?: PromptPayload;
  /** Display projection: what a person is shown. Null and absent both mean nothing to show. */
  readonly surface?: string | null;
  readonly value?: string | null;
  readonly sessionApproval?: GrantSuggestion;
  /** Absent when none came, when it was malformed or when its principal is not the requester. */
  readonly accessIntent?: ForwardedAccessIntent;
  /** Relayed asks only: where the ask began. */
  readonly origin?: AskOrigin;
  /** Relayed asks only: the sessions passed so far, the origin first. */
  readonly path?: readonly string[];
  /** The host's own id of the call, a join key to its transcript. */
  readonly toolCallId?: string;
  /** Base64url SHA-256 of the RFC 8785 form of `{tool, input, cwd}`. */
  readonly actionDigest?: string;
}

import type { AskSource } from "./ask.ts";
import type { ForwardedAccessFacts } from "./facts.ts";
import type { GrantSuggestion } from "./grant.ts";
import type { PromptPayload } from "./payload.ts";
import type { RequestId } from "./request-id.ts";

/** How an ask came to a serving node. */
export interface Forwarding {
  readonly requesterAgentName: string;
  readonly requesterSessionId: string;
  /** Sessions that relayed the ask, in order; empty when it came in one hop. */
  readonly via: readonly string[];
}

/** What a link and a person are given to decide on. Built field by field from the ask. */
export interface PromptPermissionDetails {
  readonly requestId: RequestId;
  readonly source: AskSource;
  readonly agentName: string | null;
  readonly payload: PromptPayload;
  /** Display projection. */
  readonly surface: string | null;
  readonly value: string | null;
  readonly forwarding: Forwarding | null;
  readonly sessionApproval?: GrantSuggestion;
  /** Exactly the facts: no working directory, no principal. Absent when the ask had none. */
  readonly accessIntent?: ForwardedAccessFacts;
}

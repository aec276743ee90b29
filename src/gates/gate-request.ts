import type { AskSource } from "../ask/ask.ts";
import type { ForwardedAccessFacts } from "../ask/facts.ts";
import type { GrantSuggestion } from "../ask/grant.ts";
import type { PromptPayload, PromptRequester } from "../ask/payload.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { RuleVerdict } from "../ask/verdict.ts";

/** One permission request of a tool call, before anybody judged it. Its id is minted with it. */
export interface GateRequest {
  readonly requestId: RequestId;
  readonly source: AskSource;
  /** What rules are asked, and what crosses the wire when they leave it open. */
  readonly facts: ForwardedAccessFacts;
  /** Tool-shaped display projection: what a person is shown first. */
  readonly display: { readonly surface: string; readonly value: string };
  /** False for requests that grants do not settle (skill input). */
  readonly grantable: boolean;
  /** Whether an ask from the universal default alone raises this request (false for path gates). */
  readonly raisedByDefault: boolean;
  /** Whether an ask is settled because the host's own files are read; a deny stands. */
  readonly infrastructureRead: boolean;
  /**
   * The same request, under the same id, seen through the other outside paths of its command. The first of the
   * strictest verdicts over this request and these decides which of them is put. Empty for all other requests.
   */
  readonly alternatives: readonly GateRequest[];
  /** The complete payload under the verdict that made it an ask. */
  payload(verdict: RuleVerdict, requester: PromptRequester): PromptPayload;
  /** The grant an approval would leave; null when none can be offered. */
  suggestion(verdict: RuleVerdict): GrantSuggestion | null;
}

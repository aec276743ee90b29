import type { AskSource } from "../ask/ask.ts";
import type { ForwardedAccessFacts } from "../ask/facts.ts";
import type { GrantSuggestion } from "../ask/grant.ts";
import type {
  PayloadKind,
  PromptEvidence,
  PromptPayload,
  PromptRequester,
} from "../ask/payload.ts";
import { mintRequestId } from "../ask/request-id.ts";
import type { RuleVerdict } from "../ask/verdict.ts";
import { commandInside } from "../shell/readings.ts";
import type { GateRequest } from "./gate-request.ts";
import { suggestGrants } from "./suggest-grants.ts";

/** What a gate says about one request; the rest is the same for all gates. */
export interface Draft {
  readonly kind: PayloadKind;
  readonly facts: ForwardedAccessFacts;
  readonly display: { readonly surface: string; readonly value: string };
  /** What the payload says the decision is about, unless a shell unit decided. */
  readonly value: string;
  readonly toolName: string | null;
  readonly invokedToolName?: string | null;
  readonly evidence?: readonly PromptEvidence[];
  readonly source?: AskSource;
  readonly grantable?: boolean;
  readonly raisedByDefault?: boolean;
  readonly infrastructureRead?: boolean;
  /** What a grant is suggested from; the payload's value when absent. */
  readonly grantOn?: string;
}

/** One labelled piece of evidence. */
export function evidence(
  label: string,
  text: string,
  detail: string | null = null,
): PromptEvidence {
  return { label, text, detail };
}

/** Makes one request of the drafts of one gate, under one fresh id; null without a draft. */
export function requestOf(drafts: readonly Draft[]): GateRequest | null {
  const [first, ...others] = drafts;
  if (first === undefined) return null;
  const requestId = mintRequestId();
  const alternatives = others.map((draft) => build(draft, requestId, []));
  return build(first, requestId, alternatives);
}

function build(draft: Draft, requestId: string, alternatives: readonly GateRequest[]): GateRequest {
  return {
    requestId,
    source: draft.source ?? "tool_call",
    facts: draft.facts,
    display: draft.display,
    grantable: draft.grantable ?? true,
    raisedByDefault: draft.raisedByDefault ?? true,
    infrastructureRead: draft.infrastructureRead ?? false,
    alternatives,
    payload: (verdict, requester) => payloadOf(draft, verdict, requester),
    suggestion: (verdict) => suggestionOf(draft, verdict),
  };
}

function payloadOf(draft: Draft, verdict: RuleVerdict, requester: PromptRequester): PromptPayload {
  const unit = draft.kind === "bash" ? verdict.unit : undefined;
  const value = unit?.value ?? draft.value;
  const whole =
    draft.kind === "bash" && value !== draft.value ? [evidence("full command", draft.value)] : [];
  return {
    kind: draft.kind,
    request: {
      requester,
      surface: draft.facts.surface,
      toolName: draft.toolName,
      invokedToolName: draft.invokedToolName ?? null,
      value,
      matchedPattern: verdict.matchedPattern,
      commandContext: unit?.context ?? null,
      executedUnit: draft.kind === "bash" ? commandInside(value) : null,
    },
    evidence: [...whole, ...(draft.evidence ?? [])],
    annotations: [],
  };
}

function suggestionOf(draft: Draft, verdict: RuleVerdict): GrantSuggestion | null {
  if (draft.grantable === false) return null;
  const unit = draft.kind === "bash" ? verdict.unit : undefined;
  // A floor outranks every grant, so an approval could not leave anything that helps the next time.
  const floors = draft.facts.units?.filter(({ value }) => value === unit?.value) ?? [];
  if (floors.some(({ floor }) => floor !== null)) return null;
  const value = unit?.value ?? draft.grantOn ?? draft.value;
  const grants = suggestGrants(draft.facts.surface, value);
  return grants.length > 0 ? { grants } : null;
}

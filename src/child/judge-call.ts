import type { DecisionSource } from "../ask/decision.ts";
import type { Grant, GrantSuggestion } from "../ask/grant.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { RuleAction, RuleVerdict } from "../ask/verdict.ts";
import type { GateContext } from "../gates/context.ts";
import { describeToolCall } from "../gates/describe-tool-call.ts";
import type { GateRequest } from "../gates/gate-request.ts";
import { deciderOf } from "../policy/decider.ts";
import type { AgentClaim, Policy } from "../policy/policy.ts";
import { isStricter, strictest } from "../policy/strictness.ts";

/** What a call is judged by. */
export interface JudgeContext {
  readonly policy: Policy;
  readonly gates: GateContext;
  /** Grants in force in this session. */
  readonly grants: readonly Grant[];
  readonly agent: AgentClaim | null;
}

/** One request of a call as the child's rules leave it. */
export interface JudgedRequest {
  /** The request as it is put: its facts name the unit or the path that decided. */
  readonly gate: GateRequest;
  /** The request as it was described: what is judged again, by {@link judgeGate}. */
  readonly whole: GateRequest;
  readonly verdict: RuleVerdict;
  /** Differs from the verdict's where reading the host's own files settles an ask. */
  readonly state: RuleAction;
  /** Null exactly when the state is `ask`. */
  readonly decidedBy: DecisionSource | null;
}

/** A call as the child's rules leave it. */
export interface JudgedCall {
  /** The strictest state of its requests. With `deny` none of its asks is to be put to anybody. */
  readonly state: RuleAction;
  /** Every request that was raised, in the order of the gates. */
  readonly requests: readonly JudgedRequest[];
}

/** Runs every gate of a call against the rules. A deny of any gate pre-empts the asks of all others. */
export function judgeCall(call: ToolCall, context: JudgeContext): JudgedCall {
  const requests = describeToolCall(call, context.gates)
    .map((gate) => judgeGate(gate, context))
    .filter(isRaised);
  let state: RuleAction = "allow";
  for (const request of requests) if (isStricter(request.state, state)) state = request.state;
  return { state, requests };
}

/** Judges one request, through all the paths it may be seen by. */
export function judgeGate(gate: GateRequest, context: JudgeContext): JudgedRequest {
  const first = judgeOne(gate, context);
  const seen = [first, ...gate.alternatives.map((one) => judgeOne(one, context))];
  const worst = strictest(first, ...seen.slice(1));
  return { ...worst, gate: narrowed(worst, seen), whole: gate };
}

function judgeOne(gate: GateRequest, { policy, grants, agent }: JudgeContext): JudgedRequest {
  const query = { facts: gate.facts, agent, grants: gate.grantable ? grants : [] };
  const verdict = policy.judge(query);
  if (verdict.state === "ask") {
    return gate.infrastructureRead
      ? { gate, whole: gate, verdict, state: "allow", decidedBy: { kind: "infrastructure_read" } }
      : { gate, whole: gate, verdict, state: "ask", decidedBy: null };
  }
  return { gate, whole: gate, verdict, state: verdict.state, decidedBy: deciderOf(verdict) };
}

/** The request through whatever decided, with the grants of everything in it that asks. */
function narrowed({ gate, verdict }: JudgedRequest, seen: readonly JudgedRequest[]): GateRequest {
  const facts =
    verdict.unit === undefined ? gate.facts : { ...gate.facts, matchValues: [verdict.unit.value] };
  const asking = seen.filter((one) => one.state === "ask");
  return {
    ...gate,
    facts,
    suggestion: (own) => (asking.length > 1 ? merged(asking) : gate.suggestion(own)),
  };
}

/** One approval answers the next identical call only when it covers all of its paths. */
function merged(asking: readonly JudgedRequest[]): GrantSuggestion | null {
  const suggestions = asking.map(({ gate, verdict }) => gate.suggestion(verdict));
  const grants = new Map(
    suggestions
      .flatMap((suggestion) => suggestion?.grants ?? [])
      .map((grant) => [JSON.stringify([grant.surface, grant.pattern]), grant] as const),
  );
  return grants.size > 0 ? { grants: [...grants.values()] } : null;
}

/** Gates that only a rule of their own raises are silent where no such rule restricts or was lifted. */
export function isRaised({ gate, verdict }: JudgedRequest): boolean {
  if (gate.raisedByDefault || verdict.state === "deny") return true;
  if (verdict.matchedPattern === null) return false;
  return verdict.state === "ask" || verdict.origin === "session" || verdict.origin === "yolo";
}

import type { DecisionSource } from "../ask/decision.ts";
import type { ForwardedAccessIntent } from "../ask/facts.ts";
import type { Grant } from "../ask/grant.ts";
import type { ToolCall } from "../ask/tool-call.ts";
import type { ForwardedVerdict, RuleAction, RuleVerdict } from "../ask/verdict.ts";
import { isRaised, type JudgeContext, judgeGate } from "../child/judge-call.ts";
import type { GateContext } from "../gates/context.ts";
import { describeToolCall } from "../gates/describe-tool-call.ts";
import type { GateRequest } from "../gates/gate-request.ts";
import { composePolicy } from "../policy/compose-policy.ts";
import { explainPolicy } from "../policy/explain-policy.ts";
import type { Explainer, Explanation, Reading } from "../policy/explanation.ts";
import type { PolicySources } from "../policy/sources.ts";
import { isStricter } from "../policy/strictness.ts";

/** What a call is explained by. */
export interface ExplainContext {
  readonly rules: PolicySources;
  readonly gates: GateContext;
  /** Null when the child has no name for itself. */
  readonly agent: string | null;
  readonly session: string;
  readonly grants: readonly Grant[];
  /** What the parent judges by: its rules, and the grants of its own session. */
  readonly parent: { readonly rules: PolicySources; readonly grants: readonly Grant[] };
}

/** One request of a call, with everything that had a say on it. */
export interface ExplainedRequest {
  /** The request as it would be put. */
  readonly gate: GateRequest;
  readonly verdict: RuleVerdict;
  readonly state: RuleAction;
  /** Null when the rules of the child leave it open. */
  readonly decidedBy: DecisionSource | null;
  /** False for a gate that stays silent because no rule of its own speaks. */
  readonly raised: boolean;
  readonly readings: readonly Reading[];
  readonly floor: string | null;
  readonly overlays: Explanation<unknown>["overlays"];
  /** What the parent would make of it, if it were asked. */
  readonly parent: Explanation<ForwardedVerdict>;
}

/** A call explained. */
export interface ExplainedCall {
  readonly requests: readonly ExplainedRequest[];
  /** What the child makes of the whole call: with `deny` nobody is asked. */
  readonly child: RuleAction;
  /** What the parent makes of what it is asked; null when it is not asked. */
  readonly parent: RuleAction | null;
}

/** The name an ask carries when its child has none for itself. */
const NAMELESS = "unknown";

/** Explains one call by the rules of the child, and by those of a parent that would be asked. */
export function explainCall(call: ToolCall, context: ExplainContext): ExplainedCall {
  const { gates, grants } = context;
  const agent = context.agent === null ? null : { name: context.agent, attested: true };
  const judging: JudgeContext = {
    policy: composePolicy(context.rules, gates),
    gates,
    grants,
    agent,
  };
  const own = explainPolicy(context.rules, gates);
  const parents = explainPolicy(context.parent.rules, gates);
  const requests = describeToolCall(call, gates).map((gate): ExplainedRequest => {
    const judged = judgeGate(gate, judging);
    const { verdict, state, decidedBy } = judged;
    return {
      gate: judged.gate,
      verdict,
      state,
      decidedBy,
      raised: isRaised(judged),
      ...explainGate(gate, own, judging),
      parent: parents.explainForwarded({
        intent: intentOf(judged.gate, call, context),
        attestedAgent: null,
        grants: context.parent.grants,
      }),
    };
  });
  const raised = requests.filter((request) => request.raised);
  const child = strictestState(raised.map((request) => request.state)) ?? "allow";
  const asked = child === "ask" ? raised.filter((request) => request.state === "ask") : [];
  return {
    requests,
    child,
    parent: strictestState(asked.map((request) => request.parent.verdict.verdict)),
  };
}

/** Reads the request through everything it may be seen by; only what decided it wins. */
function explainGate(
  gate: GateRequest,
  explainer: Explainer,
  { agent, grants }: JudgeContext,
): Pick<ExplainedRequest, "readings" | "floor" | "overlays"> {
  const seen = [gate, ...gate.alternatives].map(({ facts, grantable }) =>
    explainer.explain({ facts, agent, grants: grantable ? grants : [] }),
  );
  const states = seen.map(({ verdict }) => verdict.state);
  const winner = seen[states.indexOf(strictestState(states) ?? "ask")];
  return {
    readings: seen.flatMap((one) =>
      one.readings.map((reading) => ({ ...reading, wins: reading.wins && one === winner })),
    ),
    floor: winner?.floor ?? null,
    overlays: winner?.overlays ?? [],
  };
}

function intentOf(
  { facts }: GateRequest,
  { cwd }: ToolCall,
  { session, agent }: ExplainContext,
): ForwardedAccessIntent {
  const principal = { sessionId: session, agentName: agent ?? NAMELESS };
  return { ...facts, requesterCwd: cwd, principal };
}

function strictestState(states: readonly RuleAction[]): RuleAction | null {
  let worst: RuleAction | null = null;
  for (const state of states) if (worst === null || isStricter(state, worst)) worst = state;
  return worst;
}

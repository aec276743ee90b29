import type { GrantPattern } from "../../../src/ask/grant.ts";
import type { ToolCall } from "../../../src/ask/tool-call.ts";
import { judgeCall } from "../../../src/child/judge-call.ts";
import type { ActiveSkill } from "../../../src/gates/context.ts";
import { suggestGrants } from "../../../src/gates/suggest-grants.ts";
import { composePolicy } from "../../../src/policy/compose-policy.ts";
import type { Ops } from "./ops.ts";
import { type CaseConfig, grantsOf, sourcesOf } from "./scenery.ts";

interface CallCase extends ToolCall {
  readonly config: CaseConfig;
  readonly session?: readonly GrantPattern[];
  readonly home: string;
  readonly skills?: readonly ActiveSkill[];
  readonly realpaths?: Readonly<Record<string, string>>;
}

const REQUESTER = { agentName: null, forwarded: false, sessionId: null };

/** Operations of the conformance cases that the gates room answers. */
export const gatesOps: Ops = {
  judgeToolCall: (input: CallCase) => {
    const { config, session, home, skills, realpaths, ...call } = input;
    const lookups = new Map(Object.entries(realpaths ?? {}));
    const judged = judgeCall(call, {
      policy: composePolicy(sourcesOf(config), { home, platform: "linux" }),
      gates: {
        home,
        platform: "linux",
        realpath: (absolute) => lookups.get(absolute) ?? absolute,
        skills: skills ?? [],
      },
      grants: grantsOf(session),
      agent: null,
    });
    return {
      state: judged.state,
      requests: judged.requests.map(({ gate, verdict, state }) => {
        const { kind, request, evidence } = gate.payload(verdict, REQUESTER);
        return {
          kind,
          surface: gate.facts.surface,
          state,
          value: request.value,
          matchedPattern: verdict.matchedPattern,
          matchValues: gate.facts.matchValues,
          boundaryValue: gate.facts.boundaryValue,
          units: gate.facts.units,
          evidence,
          grants: gate.suggestion(verdict)?.grants ?? [],
        };
      }),
    };
  },

  suggestGrants: (input: { surface: string; value: string }) => ({
    grants: suggestGrants(input.surface, input.value),
  }),
};

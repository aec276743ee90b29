import type { ToolCall } from "../ask/tool-call.ts";
import { realPath } from "../gates/real-path.ts";
import { prepareShell } from "../gates/shell-call.ts";
import type { Journal } from "../journal/journal.ts";
import { composePolicy } from "../policy/compose-policy.ts";
import type { PolicySources } from "../policy/sources.ts";
import type { ChildOptions } from "./child.ts";
import { type GateOptions, gateContextOf } from "./gate-context.ts";
import {
  type JudgeContext,
  type JudgedCall,
  type JudgedRequest,
  judgeCall,
  judgeGate,
} from "./judge-call.ts";

/** The rules of this machine, with the grants of the session, as they are when they are asked. */
export interface RuleHolder {
  /** Makes ready what judging a call needs; null when everything is there. */
  prepare(call: ToolCall): Promise<void> | null;
  judge(call: ToolCall): JudgedCall;
  /** Judges a request once more; what it was narrowed to before is forgotten. */
  judgeAgain(judged: JudgedRequest): JudgedRequest;
  /** Judges by other rules from now on, and tells whoever waits. */
  setRules(rules: PolicySources): void;
  /** Tells whoever waits that an approval left a grant. */
  granted(): void;
  /** Calls `listen` whenever there are other rules or another grant, until the answer is called. */
  onRules(listen: () => void): () => void;
}

/** Composes the rules of a child. */
export function holdRules(
  options: GateOptions & Pick<ChildOptions, "rules">,
  of: {
    readonly agentName: string | null;
    readonly journal: Pick<Journal, "read">;
    readonly now: () => number;
  },
): RuleHolder {
  const { home } = options;
  const platform = options.platform ?? process.platform;
  const gates = gateContextOf(options, realPath);
  // The machine's own configuration names the agent: nobody else could attest it here.
  const agent = of.agentName === null ? null : { name: of.agentName, attested: true };
  let policy = composePolicy(options.rules, { home, platform });
  const listeners = new Set<() => void>();
  const tellAll = (): void => {
    for (const listen of listeners) listen();
  };
  const context = (): JudgeContext => ({
    policy,
    gates,
    grants: of.journal.read.grants(of.now(), "child_session"),
    agent,
  });
  return {
    prepare: (call): Promise<void> | null => prepareShell(call, gates),
    judge: (call) => judgeCall(call, context()),
    judgeAgain: ({ whole }) => judgeGate(whole, context()),
    setRules: (rules) => {
      policy = composePolicy(rules, { home, platform });
      tellAll();
    },
    granted: tellAll,
    onRules: (listen) => {
      listeners.add(listen);
      return () => void listeners.delete(listen);
    },
  };
}

import type { ForwardedVerdict } from "../ask/verdict.ts";
import { deciderOf } from "./decider.ts";
import type { Finding } from "./finding.ts";

/** The answer where the rules have nothing to judge. */
export const UNDECIDED: ForwardedVerdict = Object.freeze({
  verdict: "ask",
  decidedBy: null,
  floor: null,
  denialReason: null,
});

/** What the node that serves an ask makes of its rules' finding. */
export function forwardedVerdict({ state, verdict, floor }: Finding): ForwardedVerdict {
  return {
    verdict: state,
    decidedBy: state === "ask" ? null : deciderOf(verdict),
    floor: state === "ask" ? floor : null,
    denialReason: state === "deny" ? verdict.reason : null,
  };
}

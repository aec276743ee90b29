import type { CallSite } from "./call-site.ts";
import type { JudgedRequest } from "./judge-call.ts";
import type { ChildParts } from "./parts.ts";

/** Watches whether other rules settle a request while somebody else is asked about it. */
export interface RuleWatch extends Disposable {
  /** Aborts when the caller takes the call back, or other rules settle the request. */
  readonly signal: AbortSignal;
  /** The request as the rules of this moment settle it; null when they leave it open, or cannot be asked. */
  settled(): JudgedRequest | null;
}

/**
 * Judges a request again with each change of the rules and each new grant. One of the same call that is denied now denies it too: what
 * the call does as a whole must not run. A request that cannot be judged any more is taken back.
 */
export function watchRules(parts: ChildParts, site: CallSite, judged: JudgedRequest): RuleWatch {
  const changed = new AbortController();
  let settled: JudgedRequest | null = null;
  const stop = parts.onRules(() => {
    settled = null;
    try {
      settled = judgeAnew(parts, site, judged);
      if (settled !== null) changed.abort();
    } catch (error) {
      parts.log.error({ err: error }, "an ask that waits could not be judged by the new rules");
      changed.abort();
    }
  });
  const given = site.signal;
  return {
    signal: given === undefined ? changed.signal : AbortSignal.any([given, changed.signal]),
    settled: () => (given?.aborted === true ? null : settled),
    [Symbol.dispose]: stop,
  };
}

function judgeAnew(parts: ChildParts, site: CallSite, judged: JudgedRequest): JudgedRequest | null {
  const denied = parts.judge(site.call).requests.find(({ state }) => state === "deny");
  const again = parts.judgeAgain(judged);
  if (denied !== undefined && again.state !== "deny") {
    const { verdict, state, decidedBy } = denied;
    return { ...again, verdict, state, decidedBy };
  }
  return again.state === "ask" ? null : again;
}

import type { Ask } from "../ask/ask.ts";
import type { Ruling } from "../ask/decision.ts";
import type { Grant } from "../ask/grant.ts";
import type { Clock, LinkRuleAnswer, Log } from "../ask/ports.ts";
import type { ForwardedVerdict } from "../ask/verdict.ts";
import type { JournalReads } from "../journal/journal.ts";
import type { Policy } from "../policy/policy.ts";

/** What the rules of this node say of an ask. */
export interface RuleRuling {
  readonly ruling: Ruling;
  /** The grant of this session that allowed; null when a rule decided. */
  readonly grantId: string | null;
}

/** The rules and grants in force at this node, composed once and read for every ask. */
export interface RuleBook {
  /** Judges an ask; null when the rules leave it open. Never throws: a failure inside is a gate error. */
  judge(ask: Ask): RuleRuling | null;
  /** What the rules say of one value for whoever asks, without grants; never an allow of a shell text. */
  check(ask: Ask, surface: string, value: string): LinkRuleAnswer;
  /** Judges by another policy from now on. */
  setPolicy(policy: Policy): void;
  /** Reads the grants of the journal again; true when they changed. */
  reloadGrants(): boolean;
  /** True once after a grant has expired. */
  tookExpired(): boolean;
}

/** What a rule book is opened with. */
export interface RuleBookOptions {
  readonly policy: Policy;
  readonly read: JournalReads;
  /** Agent names this node attests, by session. */
  readonly roster: ReadonlyMap<string, string>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Opens the rules of one serving process. */
export function openRuleBook(options: RuleBookOptions): RuleBook {
  const { read, roster, clock, log } = options;
  let policy = options.policy;
  let grants: readonly Grant[] = [];
  let firstEnd = Number.POSITIVE_INFINITY;
  let expired = false;
  load();

  function load(): void {
    const now = clock.now();
    if (now >= firstEnd) expired = true;
    grants = read.grants(now, "serving_session");
    firstEnd = firstExpiry(grants);
  }

  function standing(): readonly Grant[] {
    const now = clock.now();
    if (now < firstEnd) return grants;
    expired = true;
    grants = grants.filter((grant) => now < grant.expiresAt);
    firstEnd = firstExpiry(grants);
    return grants;
  }

  function judgeNow(ask: Ask): RuleRuling | null {
    return rulingOf(
      policy.judgeForwarded({
        intent: ask.accessIntent ?? null,
        attestedAgent: attestedAgent(ask, roster),
        grants: standing(),
      }),
    );
  }

  return {
    judge(ask): RuleRuling | null {
      try {
        const ruled = judgeNow(ask);
        if (ruled === null || ruled.grantId === null) return ruled;
        if (read.grant(ruled.grantId) !== null) return ruled;
        // Another process of this session, or an operator, revoked it since it was read.
        load();
        return judgeNow(ask);
      } catch (error) {
        log.error({ err: error, requestId: ask.id }, "the rules failed on an ask");
        const decidedBy = { kind: "gate_error", reason: "the rules of the parent failed" } as const;
        return { ruling: { approved: false, state: "denied", decidedBy }, grantId: null };
      }
    },
    check(ask, surface, value): LinkRuleAnswer {
      const { verdict, decidedBy, denialReason } = policy.judgeForwarded({
        intent: {
          surface,
          matchValues: [value],
          boundaryValue: null,
          requesterCwd: "",
          principal: { sessionId: ask.requesterSessionId, agentName: ask.requesterAgentName },
        },
        attestedAgent: attestedAgent(ask, roster),
        grants: [],
      });
      const pattern = decidedBy?.kind === "rule" ? decidedBy.pattern : null;
      return { state: verdict, pattern, reason: denialReason };
    },
    setPolicy(next): void {
      policy = next;
    },
    reloadGrants(): boolean {
      const before = grants.map((grant) => grant.grantId).join();
      load();
      return grants.map((grant) => grant.grantId).join() !== before;
    },
    tookExpired(): boolean {
      const took = expired;
      expired = false;
      return took;
    },
  };
}

/** A relayed ask's origin is what the relay says, not what this node attests: its agent's rules only tighten. */
function attestedAgent(ask: Ask, roster: ReadonlyMap<string, string>): string | null {
  return ask.origin === undefined ? (roster.get(ask.requesterSessionId) ?? null) : null;
}

function rulingOf(judged: ForwardedVerdict): RuleRuling | null {
  const { verdict, decidedBy, denialReason } = judged;
  if (verdict === "ask" || decidedBy === null) return null;
  const grantId = decidedBy.kind === "session_approval" ? (decidedBy.grantId ?? null) : null;
  if (verdict === "allow") {
    return { ruling: { approved: true, state: "approved", decidedBy }, grantId };
  }
  const ruling: Ruling =
    denialReason === null
      ? { approved: false, state: "denied", decidedBy }
      : { approved: false, state: "denied_with_reason", denialReason, decidedBy };
  return { ruling, grantId };
}

function firstExpiry(grants: readonly Grant[]): number {
  return grants.reduce(
    (first, grant) => Math.min(first, grant.expiresAt),
    Number.POSITIVE_INFINITY,
  );
}

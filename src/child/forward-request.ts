import { randomUUID } from "node:crypto";
import { effectiveDecider } from "../ask/decision.ts";
import type { Grant } from "../ask/grant.ts";
import type { LostReason } from "../ask/lost.ts";
import type { Accepted, Decision } from "../ask/messages.ts";
import type { RecordDraft } from "../ask/record.ts";
import type { SealedAsk } from "../bus/lines.ts";
import type { JournalWrites } from "../journal/journal.ts";
import type { AskCase, AskEnding, AskWriter } from "./ask-case.ts";
import { buildAsk } from "./build-ask.ts";
import { type CallSite, tellSettled } from "./call-site.ts";
import type { JudgedRequest } from "./judge-call.ts";
import { lostEntry } from "./lost-entry.ts";
import type { ChildParts } from "./parts.ts";
import type { Raised, Settlement } from "./raised.ts";
import { endRecords, grantEntry, responseEntry, waitingEntry, wayEntry } from "./records.ts";
import type { RuleWatch } from "./ruled-anew.ts";
import { deciderOfLoss, framed, lossOf } from "./ruling.ts";
import { sealFitting } from "./seal-fitting.ts";

/** Life of a grant, in milliseconds. */
const GRANT_LIFE_MS = 8 * 60 * 60 * 1000;

/** How a request ended that was put to the parent, or as other rules settle it meanwhile. */
export type Forwarded =
  | { readonly ruled: JudgedRequest }
  | { readonly ruled: null; readonly settlement: Settlement };

/**
 * Puts one request to the parent and waits for how it ends. Its records are written on the way. Before
 * anything is put, it is lost when there is nobody to put it to, or when it does not fit into a message. Taken
 * back because other rules settle it now, it comes back as they do; the records of its end are not written then.
 */
export async function forwardRequest(
  parts: ChildParts,
  site: CallSite,
  { raised, rules }: { readonly raised: Raised; readonly rules: RuleWatch },
): Promise<Forwarded> {
  const unsent = (lost: LostReason): Forwarded => ({
    ruled: null,
    settlement: neverSent(parts, site, raised, lost),
  });
  const { self } = parts;
  if (self.parent === null) return unsent("no_target");
  if (self.parent === self.session) return unsent("self_target");
  const severed = parts.severed();
  if (severed !== null) return unsent(severed);
  if (site.signal?.aborted === true) return unsent("cancelled");
  const lifeMs = site.lifeMs;
  const life = { createdAt: parts.clock.now(), lifeMs };
  const taken: { by?: JudgedRequest } = {};
  const takenBack = (ending: AskEnding): boolean => {
    const ruled = ending.kind === "lost" && ending.lost === "cancelled" ? rules.settled() : null;
    if (ruled !== null) taken.by = ruled;
    return ruled !== null;
  };
  let asked = self.parent;
  const caseFor = (parent: string): AskCase | null => {
    const sealed = sealFitting(parts.line, buildAsk({ ...self, parent }, site.call, raised, life));
    if (sealed === null) return null;
    asked = parent;
    return {
      sealed,
      value: raised.payload.request.value,
      lifeMs,
      signal: rules.signal,
      writer: writerOf(parts, site, raised, { sealed, takenBack }),
    };
  };
  const first = caseFor(self.parent);
  if (first === null) return unsent("ask_too_large");
  const others = self.others.map((parent) => () => caseFor(parent));
  const ending = await parts.asks.put({ ...first, others });
  if (taken.by !== undefined) return { ruled: taken.by };
  site.owed.kept(raised.request.requestId);
  return { ruled: null, settlement: settlementOf(ending, asked, self.session) };
}

/** How the child reads an ending. */
function settlementOf(ending: AskEnding, parent: string, session: string): Settlement {
  if (ending.kind === "lost") {
    const { lost, refused } = ending;
    return {
      outcome: "lost",
      lost,
      decidedBy: deciderOfLoss(lost, refused === null ? session : parent),
    };
  }
  const { decision } = ending;
  const lost = lossOf(decision);
  const decidedBy = framed(decision, parent);
  const { state, denialReason } = decision;
  if (lost !== null) return { outcome: "lost", lost, decidedBy, state };
  return {
    outcome: decision.approved ? "allowed" : "denied",
    decidedBy,
    state,
    ...(denialReason === undefined ? {} : { denialReason }),
  };
}

/** Ends a request that never left. */
function neverSent(
  parts: ChildParts,
  site: CallSite,
  raised: Raised,
  lost: LostReason,
): Settlement {
  const { self } = parts;
  const settlement: Settlement = {
    outcome: "lost",
    lost,
    decidedBy: deciderOfLoss(lost, self.session),
  };
  const entry = lostEntry(site.records, raised.request.requestId, lost, {
    targetSessionId: self.parent,
    forwarded: false,
  });
  site.owed.add(raised.request.requestId, [entry, ...endRecords(site.records, raised, settlement)]);
  return settlement;
}

function writerOf(
  parts: ChildParts,
  site: CallSite,
  raised: Raised,
  put: {
    readonly sealed: SealedAsk;
    /** Says whether other rules are why the ask ended; asked when its end is written. */
    readonly takenBack: (ending: AskEnding) => boolean;
  },
): AskWriter {
  const { self, clock } = parts;
  const { sealed, takenBack } = put;
  const { requestId } = raised.request;
  const { ask, askDigest } = sealed;
  const { targetSessionId } = ask;
  const write = (tx: JournalWrites, drafts: readonly RecordDraft[]): void => {
    for (const draft of drafts) tx.record(draft, clock.now());
  };
  const putEntry = (): RecordDraft =>
    wayEntry(site.records, "forwarded_permission.request_created", requestId, {
      ...(ask.id === requestId ? {} : { wireId: ask.id }),
      requesterAgentName: ask.requesterAgentName,
      requesterSessionId: self.session,
      targetSessionId,
      askDigest,
      actionDigest: ask.actionDigest ?? null,
      expiresAt: ask.expiresAt,
    });
  return {
    created: (tx) => {
      site.owed.write(tx);
      write(tx, [waitingEntry(site.records, raised), putEntry()]);
    },
    moved: (tx, left) => {
      const fields = { targetSessionId: left.parent, nextSessionId: targetSessionId };
      write(tx, [lostEntry(site.records, requestId, left.lost, fields), putEntry()]);
    },
    kept: () => {
      site.owed.paid();
      tellSettled(parts.tell, site);
    },
    accepted: (tx, { incarnation, state }: Accepted) => {
      const fields = { targetSessionId, incarnation, state };
      write(tx, [wayEntry(site.records, "forwarded_permission.accepted", requestId, fields)]);
    },
    ended: (tx, ending) => {
      const settlement = settlementOf(ending, targetSessionId, self.session);
      if (ending.kind === "lost") {
        const { lost, refused } = ending;
        const fields = {
          targetSessionId,
          ...(refused === null ? {} : { at: refused.at, detail: refused.detail ?? null }),
        };
        write(tx, [lostEntry(site.records, requestId, lost, fields)]);
      } else {
        const { decision, decisionDigest } = ending;
        write(tx, [
          responseEntry(site.records, { requestId, targetSessionId, decision, decisionDigest }),
        ]);
        for (const grant of grantsOf(decision, sealed, requestId, clock.now())) {
          tx.addGrant(grant);
          write(tx, [grantEntry(site.records, grant)]);
        }
      }
      if (!takenBack(ending)) write(tx, endRecords(site.records, raised, settlement));
      return true;
    },
  };
}

/** The grants an approval for this session leaves: what the ask suggested, nothing else. */
function grantsOf(
  decision: Decision,
  { ask }: SealedAsk,
  requestId: string,
  grantedAt: number,
): readonly Grant[] {
  if (!decision.approved || decision.state !== "approved_for_session") return [];
  const decider = effectiveDecider(decision.decidedBy);
  return (ask.sessionApproval?.grants ?? []).map(({ surface, pattern }) => ({
    grantId: `grant-${randomUUID()}`,
    requestId,
    surface,
    pattern,
    width: decision.sessionGrantWidth ?? "proven",
    scope: "child_session",
    grantedBy: decider.kind === "user" ? (decider.approver ?? null) : null,
    grantedAt,
    expiresAt: grantedAt + GRANT_LIFE_MS,
    uses: 0,
  }));
}

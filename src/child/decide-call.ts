import type { LostReason } from "../ask/lost.ts";
import type { RequestOutcome } from "../ask/outcome.ts";
import { allowedText, refusalText } from "../render/refusal.ts";
import { lossOfFailure } from "./ask-rows.ts";
import { type CallSite, type Settled, tellSettled } from "./call-site.ts";
import { forwardRequest } from "./forward-request.ts";
import type { JudgedCall, JudgedRequest } from "./judge-call.ts";
import type { ChildParts } from "./parts.ts";
import { type Raised, raise, requestOutcome, settledByRules } from "./raised.ts";
import { endRecords } from "./records.ts";
import { watchRules } from "./ruled-anew.ts";
import { deciderOfLoss } from "./ruling.ts";

/** How a call ended, without the time it took. */
export type CallEnd = { readonly text: string; readonly requests: readonly RequestOutcome[] } & (
  | { readonly outcome: "allowed" | "denied" }
  | { readonly outcome: "lost"; readonly lost: LostReason }
);

/**
 * Decides one call. All gates are judged first, and a deny of any of them ends the call before anybody is
 * asked; then each request that the rules leave open is put to the parent, in the order of the gates, until
 * one is refused. What the rules settled is on disk before the call is allowed.
 */
export async function decideCall(parts: ChildParts, site: CallSite): Promise<CallEnd> {
  const preparing = parts.prepare(site.call);
  if (preparing !== null) await preparing;
  let waited = false;
  for (const judged of withoutVainAsks(parts.judge(site.call))) {
    site.request = judged.gate;
    site.raised = null;
    // When others were waited for meanwhile, rules and grants may have changed.
    const standing = waited ? parts.judgeAgain(judged) : judged;
    const settled = await settle(parts, site, standing);
    waited = true;
    site.settled.push(settled);
    if (settled.settlement.state === "approved_for_session") parts.granted();
    if (settled.settlement.outcome !== "allowed") break;
  }
  await payOwed(parts, site);
  tellSettled(parts.tell, site);
  return endOf(site.settled);
}

/** With a deny among them, nobody is asked about the others. */
function withoutVainAsks({ state, requests }: JudgedCall): readonly JudgedRequest[] {
  return state === "deny" ? requests.filter((request) => request.state !== "ask") : requests;
}

async function settle(parts: ChildParts, site: CallSite, judged: JudgedRequest): Promise<Settled> {
  const raised = raise(parts.self, judged);
  site.raised = raised;
  const { decidedBy, request, verdict } = raised;
  if (decidedBy === null) return settleElsewhere(parts, site, judged, raised);
  const settlement = settledByRules(judged, decidedBy);
  const drafts = endRecords(site.records, raised, settlement);
  site.owed.add(request.requestId, drafts, verdict.grantId);
  return { raised, settlement };
}

/** Asks the parent, as long as the rules leave the request open. */
async function settleElsewhere(
  parts: ChildParts,
  site: CallSite,
  judged: JudgedRequest,
  raised: Raised,
): Promise<Settled> {
  using rules = watchRules(parts, site, judged);
  const forwarded = await forwardRequest(parts, site, { raised, rules });
  if (forwarded.ruled !== null) {
    return await settle(parts, site, rules.settled() ?? forwarded.ruled);
  }
  return { raised, settlement: forwarded.settlement };
}

/** Writes what is owed. An allow that cannot be recorded is taken back. */
async function payOwed(parts: ChildParts, site: CallSite): Promise<void> {
  if (site.owed.isEmpty()) return;
  try {
    await parts.journal.soon((tx) => site.owed.write(tx));
    site.owed.paid();
  } catch (error) {
    parts.log.error({ err: error }, "the records of a call could not be written");
    const last = site.settled.at(-1);
    if (last?.settlement.outcome !== "allowed") return;
    const lost = lossOfFailure(error);
    const decidedBy = deciderOfLoss(lost, parts.self.session);
    site.settled[site.settled.length - 1] = {
      raised: last.raised,
      settlement: { outcome: "lost", lost, decidedBy },
    };
  }
}

function endOf(settled: readonly Settled[]): CallEnd {
  const requests = Object.freeze(
    settled.map(({ raised, settlement }) => requestOutcome(raised, settlement)),
  );
  const last = settled.at(-1);
  if (last === undefined) return { outcome: "allowed", text: allowedText(null, null), requests };
  const { payload } = last.raised;
  const { settlement } = last;
  if (settlement.outcome === "allowed") {
    return { outcome: "allowed", text: allowedText(payload, settlement.decidedBy), requests };
  }
  const { decidedBy, denialReason } = settlement;
  const text = refusalText(payload, {
    decidedBy,
    ...(denialReason === undefined ? {} : { denialReason }),
  });
  return settlement.outcome === "lost"
    ? { outcome: "lost", lost: settlement.lost, text, requests }
    : { outcome: "denied", text, requests };
}

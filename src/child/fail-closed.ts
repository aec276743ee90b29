import type { LostReason } from "../ask/lost.ts";
import type { Outcome, RequestOutcome } from "../ask/outcome.ts";
import { mintRequestId } from "../ask/request-id.ts";
import { refusalText } from "../render/refusal.ts";
import { lossOfFailure } from "./ask-rows.ts";
import type { CallSite } from "./call-site.ts";
import { decideCall } from "./decide-call.ts";
import { type Failed, failureEvent, failureRecords } from "./failure-records.ts";
import type { ChildParts } from "./parts.ts";
import { requestOutcome } from "./raised.ts";

/** What the agent reads when no better text can be made. */
export const LAST_WORDS =
  "[askfabric] Not run: the call got no decision (gate_error), because the permission check itself failed; look into the log before trying again.";

/** Thrown to refuse a call before it is looked at. */
export class CallRefused extends Error {
  override readonly name = "CallRefused";
  readonly lost: LostReason;

  constructor(lost: LostReason) {
    super(`The call is refused: ${lost}`);
    this.lost = lost;
  }
}

/**
 * Decides one call. This is the one place where whatever is thrown inside becomes a refusal: the request that
 * was being dealt with ends as lost under the id it has, and its records are tried; nothing that fails on the
 * way undoes the refusal. Never rejects.
 */
export async function decideOrRefuse(parts: ChildParts, open: () => CallSite): Promise<Outcome> {
  const begunAt = parts.clock.monotonic();
  const waitedMs = (): number => Math.max(0, Math.round(parts.clock.monotonic() - begunAt));
  let site: CallSite | null = null;
  try {
    site = open();
    const end = await decideCall(parts, site);
    return Object.freeze({ ...end, waitedMs: waitedMs() });
  } catch (error) {
    const failed = failedBy(parts, site, error);
    parts.log.error({ requestId: failed.requestId, err: error }, "a permission check failed");
    await record(parts, failed);
    const requests = Object.freeze([...earlier(failed), outcomeOf(failed)]);
    const { lost } = failed.settlement;
    return Object.freeze({
      outcome: "lost",
      lost,
      text: textOf(failed),
      waitedMs: waitedMs(),
      requests,
    });
  }
}

function failedBy(parts: ChildParts, site: CallSite | null, error: unknown): Failed {
  const lost = error instanceof CallRefused ? error.lost : lossOfFailure(error);
  return {
    site,
    requestId: site?.request?.requestId ?? mintRequestId(),
    settlement: {
      outcome: "lost",
      lost,
      decidedBy:
        lost === "gate_error"
          ? { kind: "gate_error", reason: error instanceof Error ? error.name : "unknown" }
          : { kind: "unavailable", reason: lost, at: parts.self.session },
    },
  };
}

async function record(parts: ChildParts, failed: Failed): Promise<void> {
  try {
    const { site } = failed;
    const isDurable = site?.owed.drop(failed.requestId) ?? false;
    const drafts = failureRecords(parts, failed, isDurable);
    await parts.journal.soon((tx) => {
      site?.owed.write(tx);
      for (const draft of drafts) tx.record(draft, parts.clock.now());
    });
    if (!isDurable) parts.tell(failureEvent(parts, failed));
  } catch (error) {
    const { requestId } = failed;
    parts.log.error({ requestId, err: error }, "a refusal could not be recorded");
  }
}

function earlier({ site, requestId }: Failed): readonly RequestOutcome[] {
  return (site?.settled ?? [])
    .filter(({ raised }) => raised.request.requestId !== requestId)
    .map(({ raised, settlement }) => requestOutcome(raised, settlement));
}

function outcomeOf({ site, requestId, settlement }: Failed): RequestOutcome {
  if (site?.raised != null) return requestOutcome(site.raised, settlement);
  const { lost, decidedBy } = settlement;
  const resolution = lost === "gate_error" ? lost : "confirmation_unavailable";
  const toolName: unknown = site?.call.toolName;
  return Object.freeze({
    requestId,
    surface: typeof toolName === "string" ? toolName : "unknown",
    value: "",
    outcome: "lost",
    lost,
    resolution,
    decidedBy,
  });
}

function textOf({ site, settlement }: Failed): string {
  try {
    return refusalText(site?.raised?.payload ?? null, { decidedBy: settlement.decidedBy });
  } catch {
    return LAST_WORDS;
  }
}

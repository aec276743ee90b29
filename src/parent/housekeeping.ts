import type { LostReason } from "../ask/lost.ts";
import { CHILD_GONE } from "../ask/ports.ts";
import type { ServedAskRow } from "../journal/journal.ts";
import { judgeWaitingAgain } from "./answer-by-rules.ts";
import { ROW_KEPT_MS } from "./ask-life.ts";
import { commitEnding } from "./end-ask.ts";
import { type Ending, endingByRefusal } from "./ending.ts";
import { guarded } from "./guarded.ts";
import { tellPresence } from "./presence.ts";
import { grantEntry } from "./records.ts";
import type { Serving } from "./serving.ts";
import { ofRow } from "./stored.ts";

/** Most answers of earlier processes that are taken up again in one second. */
const RESUMED_AT_ONCE = 256;

/** What is done once a second while a process serves; no part keeps another from being done. */
export function tick(serving: Serving): void {
  guarded(serving, "a heartbeat", () =>
    tellPresence(serving, serving.successor === null ? "up" : "closing"),
  );
  guarded(serving, "sending decisions again", () => resumeAnswers(serving));
  guarded(serving, "catching up on records", () => serving.ledger.payOwed());
  guarded(serving, "reading grants", () => {
    if (serving.rules.reloadGrants()) judgeWaitingAgain(serving);
    if (serving.rules.tookExpired()) recordExpired(serving);
  });
  guarded(serving, "looking after children", () => lookAfterChildren(serving));
  guarded(serving, "ending dormant asks", () => endOverdue(serving));
  guarded(serving, "tidying what was passed on", () => serving.upstream?.tidy());
  serving.answers.sweep(serving.clock.now());
}

/** Clears the journal of what nobody needs, and finds rows that earlier processes, or one beside this, left. */
export function clear(serving: Serving): void {
  serving.ledger.soon((tx) => void tx.sweep(serving.clock.now()));
  recordExpired(serving);
  guarded(serving, "finding dormant asks", () => findDormant(serving));
  guarded(serving, "finding decisions without a receipt", () => findUnreceipted(serving));
}

/** Takes what has expired out of the journal, and says so. */
function recordExpired(serving: Serving): void {
  const now = serving.clock.now();
  serving.ledger.soon((tx) => {
    for (const grant of tx.takeExpiredGrants(now, "serving_session")) {
      tx.record(grantEntry(serving.draft, "grant.expired", grant), now);
    }
  });
}

/** Notes the undecided rows of the journal that this process has not taken up. */
export function findDormant(serving: Serving): void {
  for (const { requestId, deadlineAt } of serving.read.openServedAsks()) {
    if (!serving.live.has(requestId)) serving.dormant.set(requestId, deadlineAt);
  }
}

function findUnreceipted(serving: Serving): void {
  const found = serving.read.unreceiptedServedAsks().filter(({ end }) => end?.kind === "decision");
  serving.unreceipted.length = 0;
  for (const { requestId } of found) serving.unreceipted.push(requestId);
}

/** Takes asks back from the terminal whose child is not heard any longer: nobody is to answer what nobody hears. */
function lookAfterChildren({ live, children, upstream, atTerminal, log }: Serving): void {
  children.look(new Set([...live.values()].map(({ childToken }) => childToken)));
  const gone = [...live.values()].filter((ask) => children.isGone(ask));
  const above = gone.filter(({ state }) => state === "relayed");
  upstream?.unheard(above.map(({ requestId }) => requestId));
  for (const ask of gone) {
    const { abort, requestId, childToken } = ask;
    if (!atTerminal.delete(requestId)) continue;
    log.warn(
      { requestId, child: childToken },
      "nothing is heard of the child of an ask that waits",
    );
    ask.abort = new AbortController();
    abort.abort(CHILD_GONE);
  }
}

function endOverdue(serving: Serving): void {
  const now = serving.clock.now();
  for (const [requestId, deadlineAt] of serving.dormant) {
    if (deadlineAt > now) continue;
    const row = serving.read.servedAsk(requestId);
    if (row !== null) refuseDormant(serving, row, "timed_out", "its child was not heard again");
    else serving.dormant.delete(requestId);
  }
}

/**
 * Sends decisions whose receipts an earlier process never wrote down: their children have ended these asks and
 * will not repeat them, but say in their receipts what became of the decision. Children that still wait were told
 * of this process a second ago and have repeated, with the key of the proof.
 */
function resumeAnswers(serving: Serving): void {
  for (const requestId of serving.unreceipted.splice(0, RESUMED_AT_ONCE)) {
    const row = serving.read.servedAsk(requestId);
    if (row?.end?.kind !== "decision" || row.receipt !== null) continue;
    if (serving.answers.find(requestId) !== null) continue;
    serving.answers.give({
      requestId,
      childToken: row.childToken,
      askDigest: row.askDigest,
      nonce: null,
      kind: "decision",
      body: row.end.answer,
      keepUntil: Math.max(row.deadlineAt, row.end.endedAt) + ROW_KEPT_MS,
    });
  }
}

/**
 * Ends a dormant row without a ruling. Nobody here knows the key that would prove it to its child: the answer is
 * sent when the child repeats.
 */
export function refuseDormant(
  serving: Serving,
  row: ServedAskRow,
  lost: LostReason,
  detail?: string,
): void {
  const ending: Ending = endingByRefusal(serving, ofRow(serving.session, row), lost, detail);
  const ended = commitEnding(serving, row.requestId, ending);
  if (ended.kind === "unwritten") return;
  serving.dormant.delete(row.requestId);
  if (ended.kind === "stands" && ending.told !== null) serving.tell("decision", ending.told);
}

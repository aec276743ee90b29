import type { LostReason } from "../ask/lost.ts";
import type { ServedAskRow } from "../journal/journal.ts";
import { judgeWaitingAgain } from "./answer-by-rules.ts";
import { commitEnding } from "./end-ask.ts";
import { type Ending, endingByRefusal } from "./ending.ts";
import { tellPresence } from "./presence.ts";
import type { Serving } from "./serving.ts";
import { ofRow } from "./stored.ts";

/** What is done once a second while a process serves. */
export function tick(serving: Serving): void {
  tellPresence(serving, "up");
  serving.ledger.payOwed();
  if (serving.rules.reloadGrants()) judgeWaitingAgain(serving);
  const now = serving.clock.now();
  serving.answers.sweep(now);
  for (const [requestId, deadlineAt] of serving.dormant) {
    if (deadlineAt > now) continue;
    const row = serving.read.servedAsk(requestId);
    if (row !== null) refuseDormant(serving, row, "timed_out", "its child was not heard again");
    else serving.dormant.delete(requestId);
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

import type { Cancel, Receipt } from "../ask/messages.ts";
import type { ParentInbound } from "../bus/lines.ts";
import type { ServedAskEnd, ServedAskRow } from "../journal/journal.ts";
import { answerDigest } from "./answer-book.ts";
import { commitEnding, endLive, lateEntry, release, wordOfEnd } from "./end-ask.ts";
import { endingByCancel } from "./ending.ts";
import { plainEntry } from "./records.ts";
import { sendWithdrawn } from "./send.ts";
import { graveOf, type Serving } from "./serving.ts";
import { ofRow } from "./stored.ts";

/**
 * Takes a cancel. It wins only while the ask is undecided; for an ask nobody has seen it leaves a tombstone, so
 * that the ask is not served when it comes after all.
 */
export function receiveCancel(serving: Serving, childToken: string, cancel: Cancel): void {
  const { requestId } = cancel;
  const live = serving.live.get(requestId);
  if (live?.childToken === childToken) {
    const ended = endLive(serving, live, endingByCancel(serving, live, cancel.why));
    if (ended === "another") {
      const { nonce } = live;
      sendWithdrawn(serving, { childToken, requestId, nonce }, "already_decided");
    }
    return;
  }
  const answer = serving.answers.find(requestId);
  if (answer?.childToken === childToken) {
    if (answer.kind === "withdrawn") serving.answers.give(answer);
    else sendWithdrawn(serving, answer, "already_decided");
    return;
  }
  const row = serving.read.servedAsk(requestId);
  if (row?.childToken === childToken) cancelRow(serving, row, cancel);
  else bury(serving, childToken, cancel);
}

function cancelRow(serving: Serving, row: ServedAskRow, cancel: Cancel): void {
  const to = { childToken: row.childToken, requestId: row.requestId, nonce: null };
  if (row.end !== null) {
    sendWithdrawn(serving, to, row.end.kind === "withdrawn" ? "withdrawn" : "already_decided");
    return;
  }
  const ending = endingByCancel(serving, ofRow(serving.session, row), cancel.why);
  const ended = commitEnding(serving, row.requestId, ending);
  if (ended.kind === "unwritten") return;
  serving.dormant.delete(row.requestId);
  const won = ended.kind === "stands" || ended.end.kind === "withdrawn";
  sendWithdrawn(serving, to, won ? "withdrawn" : "already_decided");
  if (ended.kind === "stands" && ending.told !== null) serving.tell("decision", ending.told);
}

/**
 * Leaves a tombstone by the next group commit, so that a flood of such cancels holds nobody up; until it stands,
 * memory keeps the ask out. A cancel that leaves no durable trace is not answered: its child repeats it.
 */
function bury(serving: Serving, childToken: string, cancel: Cancel): void {
  const { requestId } = cancel;
  const grave = graveOf(requestId, childToken);
  if (serving.graves.has(grave)) return;
  const at = serving.clock.now();
  serving.graves.add(grave);
  serving.ledger.soon(
    (tx) => tx.insertTombstone(requestId, childToken, at),
    (kept) => {
      serving.graves.delete(grave);
      if (kept) sendWithdrawn(serving, { childToken, requestId, nonce: null }, "unknown");
    },
  );
}

/** Takes a receipt: the answer is repeated no more, and one that its child did not apply is recorded as late. */
export function receiveReceipt(serving: Serving, childToken: string, receipt: Receipt): void {
  const { requestId, decisionDigest, effect } = receipt;
  const answer = serving.answers.find(requestId);
  let end: Pick<ServedAskEnd, "kind" | "answer">;
  if (answer === null) {
    const row = serving.read.servedAsk(requestId);
    if (row === null || row.childToken !== childToken || row.end === null) return;
    const live = serving.live.get(requestId);
    // Another process of this session decided it: nobody is to look at it here any longer.
    if (live !== undefined) release(serving, live, wordOfEnd(row.end));
    if (row.receipt !== null || answerDigest(row.end.answer) !== decisionDigest) return;
    end = row.end;
  } else {
    if (answer.childToken !== childToken) return;
    if (!serving.answers.receipted(requestId, decisionDigest)) return;
    end = { kind: answer.kind, answer: answer.body };
  }
  if (end.kind === "decision") serving.upstream?.receipted(requestId, effect);
  serving.ledger.soon((tx) => {
    // Of two processes that answered by rule at once, only one end stands: this receipt may be the other's.
    if (!tx.setReceipt(requestId, end.answer, effect)) return;
    const counted = effect === "applied" || effect === "duplicate";
    if (counted || end.kind !== "decision") return;
    tx.record(lateEntry(serving, requestId, effect), serving.clock.now());
  });
}

/** Refuses what is no ask of this revision, without a prompt; with a proof where its key could be read. */
export function receiveMalformed(
  serving: Serving,
  malformed: Extract<ParentInbound, { kind: "malformed_ask" }>,
): void {
  const { childToken, requestId, askDigest, reason, fields, nonce } = malformed;
  serving.counters.count("malformed");
  if (serving.mayTell("malformed")) {
    serving.log.warn({ child: childToken, requestId, reason, fields }, "an ask cannot be read");
    serving.ledger.soon((tx) => {
      const entry = { lost: reason, fields, child: childToken };
      tx.record(
        plainEntry(serving.draft, "permission_forwarding.warning", requestId, entry),
        serving.clock.now(),
      );
    });
  }
  if (requestId === null) return;
  const body = serving.line.encode({
    kind: "refused",
    message: {
      requestId,
      askDigest,
      lost: reason,
      at: serving.session,
      ...(fields.length === 0 ? {} : { detail: `missing or malformed: ${fields.join(", ")}` }),
    },
  });
  serving.line.send({ childToken, requestId, nonce }, body);
}

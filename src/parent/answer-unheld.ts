import type { JournalWrites } from "../journal/journal.ts";
import { deadlineOf, ROW_KEPT_MS } from "./ask-life.ts";
import { UNWRITABLE, writeEnded } from "./end-ask.ts";
import { type Ending, endingByRefusal } from "./ending.ts";
import type { ReceivedAsk, Serving } from "./serving.ts";

/** What stands in a row in the place of an ask that nobody will be asked about again. */
const NOT_KEPT = "";

/**
 * Ends an ask that has no row. While the journal takes writes the answer leaves at once and the row with its
 * end and records follows in the next group commit; while it does not, an allow is tried on disk first and
 * given back as `audit_unavailable` when that fails too. Memory answers repeats in every case.
 */
export function answerUnheld(serving: Serving, received: ReceivedAsk, ending: Ending): void {
  const receivedAt = serving.clock.now();
  const row = {
    requestId: received.ask.id,
    childToken: received.childToken,
    askDigest: received.askDigest,
    ask: NOT_KEPT,
    receivedAt,
    deadlineAt: deadlineOf(received.ask, received.remainingMs, receivedAt),
  };
  const write = (tx: JournalWrites, kept: Ending): void => writeEnded(serving, tx, row, kept);
  const give = (given: Ending): void =>
    serving.answers.give({
      requestId: row.requestId,
      childToken: row.childToken,
      askDigest: row.askDigest,
      nonce: received.ask.nonce,
      kind: given.end.kind,
      body: given.end.answer,
      keepUntil: row.deadlineAt + ROW_KEPT_MS,
    });

  if (serving.ledger.writable()) {
    give(ending);
    serving.ledger.soon((tx) => write(tx, ending));
  } else if (serving.ledger.commit((tx) => write(tx, ending)).kept) {
    give(ending);
  } else {
    const of = { ask: received.ask, askDigest: received.askDigest, details: null };
    const sent = ending.allows
      ? endingByRefusal(serving, of, "audit_unavailable", UNWRITABLE)
      : ending;
    give(sent);
    serving.ledger.owe((tx) => write(tx, sent));
  }
}

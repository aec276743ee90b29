import type { Ask } from "../ask/ask.ts";
import { isLostReason, type LostReason } from "../ask/lost.ts";
import type { RequestId } from "../ask/request-id.ts";
import type { JournalWrites, NewServedAsk, ServedAskEnd } from "../journal/journal.ts";
import { ROW_KEPT_MS } from "./ask-life.ts";
import { type Ending, type EndWord, endingByRefusal } from "./ending.ts";
import { plainEntry } from "./records.ts";
import { nextState } from "./served-state.ts";
import type { LiveAsk, Serving } from "./serving.ts";
import { verdictOf } from "./standing-end.ts";

/** Why an allow that could not be written was given back. */
export const UNWRITABLE = "the parent's journal cannot be written";

/** What became of an ending: it stands, another end stood already, or the journal took nothing. */
export type Ended =
  | { readonly kind: "stands" }
  | { readonly kind: "another"; readonly end: ServedAskEnd }
  | { readonly kind: "unwritten" };

/**
 * Makes an ending durable: end, grants and records in one transaction, on condition that no end stands. A
 * ruling that comes to a standing end is recorded as late there, unless nobody made it and it says the same.
 */
export function commitEnding(serving: Serving, requestId: RequestId, ending: Ending): Ended {
  const done = serving.ledger.commit((tx) => writeEnding(serving, tx, requestId, ending));
  if (!done.kept) return { kind: "unwritten" };
  return done.value === null ? { kind: "stands" } : { kind: "another", end: done.value };
}

/** Writes an ending inside a transaction; the end that stood already, or null when this one stands now. */
export function writeEnding(
  serving: Serving,
  tx: JournalWrites,
  requestId: RequestId,
  ending: Ending,
): ServedAskEnd | null {
  const now = serving.clock.now();
  if (!tx.endServedAsk(requestId, ending.end)) {
    const standing = tx.servedAsk(requestId)?.end ?? null;
    if (standing === null) throw new Error("an ask without a row cannot be ended");
    if (isWithoutEffect(ending, standing)) {
      tx.record(lateEntry(serving, requestId, "another_end"), now);
    }
    return standing;
  }
  writeWhatFollows(tx, ending, now);
  return null;
}

/** Writes an ask and its ending at once; as {@link writeEnding} when the ask has a row already. */
export function writeEnded(
  serving: Serving,
  tx: JournalWrites,
  row: NewServedAsk,
  ending: Ending,
): void {
  if (tx.insertEndedAsk(row, ending.end)) writeWhatFollows(tx, ending, serving.clock.now());
  else writeEnding(serving, tx, row.requestId, ending);
}

/**
 * Whether a ruling that came to a standing end changed nothing. Of two processes that judge an ask by the same
 * rules at once neither is late: their child applies the one or the other, and either says what stands.
 */
function isWithoutEffect(ending: Ending, standing: ServedAskEnd): boolean {
  if (ending.event !== "ruled") return false;
  return ending.isSomebodys || verdictOf(standing) !== ending.allows;
}

function writeWhatFollows(tx: JournalWrites, ending: Ending, now: number): void {
  for (const grant of ending.grants) tx.addGrant(grant);
  if (ending.usedGrant !== null) tx.countGrantUse(ending.usedGrant);
  for (const draft of ending.drafts) tx.record(draft, now);
}

/**
 * Ends a live ask: durable first, then its prompt is taken back and its child is answered with the end that
 * stands. Null when it has ended before.
 */
export function endLive(serving: Serving, live: LiveAsk, ending: Ending): Ended["kind"] | null {
  if (nextState(live.state, ending.event) === null) return null;
  const ended = commitEnding(serving, live.requestId, ending);
  concludeLive(serving, live, ending, ended);
  return ended.kind;
}

/** Lets out the end of a live ask: its prompt is taken back, and its child is answered with the end that stands. */
export function concludeLive(serving: Serving, live: LiveAsk, ending: Ending, ended: Ended): void {
  const next = nextState(live.state, ending.event);
  if (next === null) return;
  const effective = ended.kind === "unwritten" ? unwritten(serving, live, ending) : ending;
  live.state = next;
  const end = ended.kind === "another" ? ended.end : effective.end;
  release(serving, live, ended.kind === "another" ? wordOfEnd(ended.end) : effective.word);
  serving.answers.give({
    requestId: live.requestId,
    childToken: live.childToken,
    askDigest: live.askDigest,
    nonce: live.nonce,
    kind: end.kind,
    body: end.answer,
    keepUntil: live.deadlineAt + ROW_KEPT_MS,
  });
  if (ended.kind !== "another" && effective.told !== null) serving.tell("decision", effective.told);
}

/** Lets go of a live ask: its timer ends, links and terminal take it back and are told why. */
export function release(serving: Serving, live: LiveAsk, why: EndWord | "stopped"): void {
  if (live.timer !== null) clearTimeout(live.timer);
  live.timer = null;
  live.onScreen = false;
  serving.live.delete(live.requestId);
  serving.atTerminal.delete(live.requestId);
  live.abort.abort(why);
}

/** Gives a live ask back to its child with a named reason. */
export function refuseLive(
  serving: Serving,
  live: LiveAsk,
  lost: LostReason,
  detail?: string,
): void {
  serving.counters.count("refused");
  endLive(serving, live, endingByRefusal(serving, live, lost, detail));
}

/** Answers an ask that is kept nowhere: repeats get the same bytes, since nothing in them changes. */
export function refuseAtOnce(
  serving: Serving,
  asked: { readonly ask: Ask; readonly childToken: string; readonly askDigest: string },
  lost: LostReason,
  detail?: string,
): void {
  const { ask, childToken, askDigest } = asked;
  serving.counters.count("refused");
  if (serving.mayTell(lost)) {
    serving.log.warn({ requestId: ask.id, child: childToken, lost }, "an ask was refused");
    serving.ledger.soon((tx) => {
      const entry = { lost, requesterSessionId: ask.requesterSessionId };
      tx.record(
        plainEntry(serving.draft, "permission_forwarding.warning", ask.id, entry),
        serving.clock.now(),
      );
    });
  }
  const body = serving.line.encode({
    kind: "refused",
    message: {
      requestId: ask.id,
      askDigest,
      lost,
      at: serving.session,
      ...(detail === undefined ? {} : { detail }),
    },
  });
  serving.line.send({ childToken, requestId: ask.id, nonce: ask.nonce }, body);
}

/** The record of a ruling that did not count. */
export function lateEntry(
  serving: Serving,
  requestId: RequestId,
  why: string,
): ReturnType<typeof plainEntry> {
  serving.counters.count("late");
  return plainEntry(serving.draft, "forwarded_permission.late_decision", requestId, { why });
}

/**
 * An allow that is on no disk never leaves: the ask is given back instead, and says why. Whatever is sent is
 * written as soon as the journal can be written again.
 */
function unwritten(serving: Serving, live: LiveAsk, ending: Ending): Ending {
  const sent = ending.allows
    ? endingByRefusal(serving, live, "audit_unavailable", UNWRITABLE)
    : ending;
  serving.ledger.owe((tx) => void writeEnding(serving, tx, live.requestId, sent));
  return sent;
}

/** Why an ask ended that another process of this session ended. */
export function wordOfEnd(end: Pick<ServedAskEnd, "kind" | "answer">): EndWord {
  if (end.kind === "withdrawn") return "cancelled";
  if (end.kind === "decision") return "decided";
  // An answer of this session's own: the reason stands in it as the line wrote it.
  const lost = /"lost":"(\w+)"/.exec(end.answer)?.[1] ?? "";
  return isLostReason(lost) ? lost : "gate_error";
}

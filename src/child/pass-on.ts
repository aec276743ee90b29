import type { Ask } from "../ask/ask.ts";
import type { LostReason } from "../ask/lost.ts";
import type { Accepted, Progress } from "../ask/messages.ts";
import type { Clock, Log } from "../ask/ports.ts";
import type { RecordDraft } from "../ask/record.ts";
import type { PassedAsk, Passing, UpstreamAnswer } from "../ask/upstream.ts";
import type { SealedAsk } from "../bus/lines.ts";
import { openSealedAsk } from "../bus/stored-ask.ts";
import type { ChildAskRow, Journal, JournalWrites } from "../journal/journal.ts";
import type { AskBook } from "./ask-book.ts";
import type { AskEnding, AskWriter } from "./ask-case.ts";
import { lossOfFailure } from "./ask-rows.ts";
import type { CancelQueue } from "./cancel-queue.ts";
import { lostEntry } from "./lost-entry.ts";
import { passedAskOf } from "./passed-ask.ts";
import { type RecordSite, responseEntry, wayEntry } from "./records.ts";
import { deciderOfLoss, framed } from "./ruling.ts";

/** What asks are passed on with. */
export interface PassOnParts {
  readonly session: string;
  readonly parent: string;
  /** Null when this session has no name for itself. */
  readonly agentName: string | null;
  readonly asks: Pick<AskBook, "put" | "feed" | "leave">;
  readonly cancels: Pick<CancelQueue, "add">;
  readonly journal: Pick<Journal, "read">;
  /** Fixes the bytes of an ask, with as much of its evidence as fits; null when its core is too large. */
  readonly seal: (ask: Ask) => SealedAsk | null;
  readonly records: RecordSite;
  /** Why no answer can reach this process; null while one can. */
  readonly severed: () => LostReason | null;
  readonly clock: Clock;
  readonly log: Log;
}

type Asked = PassedAsk<JournalWrites>;

/** What is to be sent, or why nothing is. */
type Ready =
  | { readonly kind: "fresh"; readonly sealed: SealedAsk; readonly left: ChildAskRow | null }
  | { readonly kind: "resumed"; readonly sealed: SealedAsk }
  | { readonly kind: "unsent"; readonly lost: LostReason };

/** Puts one ask of another session to the parent of this one, under its own id. */
export function passOn(parts: PassOnParts, asked: Asked): Passing<JournalWrites> {
  let ready: Ready;
  try {
    ready = makeReady(parts, asked);
  } catch (error) {
    parts.log.error({ requestId: asked.ask.id, err: error }, "an ask could not be made ready");
    ready = { kind: "unsent", lost: lossOfFailure(error) };
  }
  if (ready.kind === "unsent") return unsent(parts, asked, ready.lost);
  const { sealed } = ready;
  const { id: requestId, targetSessionId: parent, createdAt, expiresAt } = sealed.ask;
  const writer = writerOf(parts, asked, sealed);
  let over = false;

  async function send(): Promise<void> {
    const lifeMs = Math.max(0, asked.deadlineAt - parts.clock.now());
    const ending = await parts.asks.put({
      sealed,
      value: sealed.ask.payload?.request.value ?? sealed.ask.value ?? "",
      lifeMs,
      signal: undefined,
      writer,
      passedOn: { moved: (message) => tellMoved(parts, asked, message) },
    });
    if (over) return;
    over = true;
    asked.concluded(writer.answerTo(ending), writer.isKept());
  }

  return {
    write: (tx) => {
      const row = { requestId, parent, askDigest: sealed.askDigest, createdAt, expiresAt };
      if (!tx.passOnAsk({ ...row, body: sealed.body })) {
        throw new Error("the id of an ask that is passed on was taken meanwhile");
      }
      if (ready.kind === "fresh") writer.created(tx, ready.left);
    },
    send: () => {
      if (over) return;
      if (ready.kind === "fresh" && ready.left !== null)
        parts.cancels.add(leaving(parts, ready.left));
      void send();
    },
    takeBack: (why) => {
      if (over) return;
      over = true;
      writer.isOver();
      if (why === null) parts.asks.leave(requestId);
      else parts.asks.feed(requestId, { kind: "abort", why });
    },
  };
}

/** An earlier process's ask goes up again as the very bytes it had, unless it went to another parent. */
function makeReady(parts: PassOnParts, asked: Asked): Ready {
  const { ask } = asked;
  const row = parts.journal.read.childAsk(ask.id);
  const lost = hindrance(row) ?? parts.severed();
  if (lost !== null) return { kind: "unsent", lost };
  const before = row?.parent === parts.parent ? sentBefore(parts, row) : null;
  if (before !== null) return { kind: "resumed", sealed: before };
  const sealed = parts.seal(passedAskOf(parts, asked, parts.clock.now()));
  if (sealed === null) return { kind: "unsent", lost: "ask_too_large" };
  return { kind: "fresh", sealed, left: row?.parent === parts.parent ? null : row };
}

/** Why an ask with this row cannot be passed on; null when it can. */
function hindrance(row: ChildAskRow | null): LostReason | null {
  if (row === null) return null;
  if (!row.passedOn) return "rid_conflict";
  return row.end === null ? null : "gate_error";
}

function sentBefore(parts: PassOnParts, { requestId }: ChildAskRow): SealedAsk | null {
  const body = parts.journal.read.passedBody(requestId);
  return body === null ? null : openSealedAsk(parts, body);
}

function unsent(parts: PassOnParts, asked: Asked, lost: LostReason): Passing<JournalWrites> {
  let over = false;
  return {
    write: (tx) => {
      const fields = { targetSessionId: parts.parent, forwarded: false };
      tx.record(lostEntry(parts.records, asked.ask.id, lost, fields), parts.clock.now());
    },
    send: () => {
      if (!over) asked.concluded(lostAnswer(parts.session, lost), false);
      over = true;
    },
    takeBack: () => {
      over = true;
    },
  };
}

function leaving(
  { clock }: PassOnParts,
  { requestId, parent }: ChildAskRow,
): Parameters<CancelQueue["add"]>[0] {
  return { requestId, parent, why: "failover", queuedAt: clock.now() };
}

function tellMoved({ parent }: PassOnParts, asked: Asked, message: Accepted | Progress): void {
  const heldBy = "heldBy" in message ? message.heldBy : { kind: message.state };
  asked.moved(
    { ...heldBy, sessionId: heldBy.sessionId ?? parent },
    "ahead" in message ? message.ahead : 0,
  );
}

/** The steps of a passed ask in the journal, and what they come to. */
interface PassedWriter extends AskWriter {
  created(tx: JournalWrites, left?: ChildAskRow | null): void;
  answerTo(ending: AskEnding): UpstreamAnswer;
  /** Whether the end of the ask below is durable together with its end above. */
  isKept(): boolean;
  /** The ask has ended below: what comes now ends nothing there. */
  isOver(): void;
}

function writerOf(parts: PassOnParts, asked: Asked, sealed: SealedAsk): PassedWriter {
  const { records, clock, session } = parts;
  const { ask, askDigest } = sealed;
  const { id: requestId, targetSessionId } = ask;
  let over = false;
  let kept = false;
  const write = (tx: JournalWrites, draft: RecordDraft): void => void tx.record(draft, clock.now());
  const answerTo = (ending: AskEnding): UpstreamAnswer => {
    if (ending.kind === "lost") {
      const at = ending.refused === null ? session : targetSessionId;
      return lostAnswer(at, ending.lost, ending.refused === null ? [] : [targetSessionId]);
    }
    const { decision } = ending;
    const { approved, state, denialReason, sessionGrantWidth } = decision;
    return {
      ruling: {
        approved,
        state,
        decidedBy: framed(decision, targetSessionId),
        ...(denialReason === undefined ? {} : { denialReason }),
        ...(sessionGrantWidth === undefined ? {} : { sessionGrantWidth }),
      },
      via: decision.via ?? [targetSessionId],
    };
  };
  return {
    created: (tx, left = null) => {
      if (left !== null) tx.queueCancel(leaving(parts, left));
      const fields = {
        requesterAgentName: ask.requesterAgentName,
        requesterSessionId: session,
        targetSessionId,
        origin: ask.origin,
        path: ask.path,
        askDigest,
        actionDigest: ask.actionDigest ?? null,
        expiresAt: ask.expiresAt,
      };
      write(tx, wayEntry(records, "forwarded_permission.request_created", requestId, fields));
    },
    kept: () => undefined,
    accepted: (tx, { incarnation, state }) => {
      const fields = { targetSessionId, incarnation, state };
      write(tx, wayEntry(records, "forwarded_permission.accepted", requestId, fields));
    },
    ended: (tx, ending) => {
      if (ending.kind === "decided") {
        write(tx, responseEntry(records, { requestId, targetSessionId, ...ending }));
      } else {
        const { lost, refused } = ending;
        const told = refused === null ? {} : { at: refused.at, detail: refused.detail ?? null };
        write(tx, lostEntry(records, requestId, lost, { targetSessionId, ...told }));
      }
      return over ? ending.kind === "lost" : asked.ended(tx, answerTo(ending));
    },
    endKept: () => {
      kept = true;
    },
    answerTo,
    isKept: () => kept,
    isOver: () => {
      over = true;
    },
  };
}

function lostAnswer(at: string, lost: LostReason, via: readonly string[] = []): UpstreamAnswer {
  const decidedBy = deciderOfLoss(lost, at);
  return { ruling: { approved: false, state: "denied", decidedBy }, via };
}

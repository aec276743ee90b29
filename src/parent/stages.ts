import type { Ruling } from "../ask/decision.ts";
import {
  CHILD_GONE,
  type GrantScope,
  type RulingEffect,
  type StandingEnd,
  type TerminalAnswer,
  type TerminalAsk,
} from "../ask/ports.ts";
import type { RecordDraft } from "../ask/record.ts";
import type { JournalWrites } from "../journal/journal.ts";
import { buildUiPrompt } from "../render/live-events.ts";
import { judgeWaitingAgain } from "./answer-by-rules.ts";
import { endLive, lateEntry } from "./end-ask.ts";
import { endingByRuling, isSomebodys } from "./ending-by-ruling.ts";
import { guarded } from "./guarded.ts";
import { askEntry } from "./records.ts";
import { gateError, soundRuling } from "./ruling.ts";
import { sendProgress } from "./send.ts";
import { isUndecided, nextState } from "./served-state.ts";
import type { LiveAsk, Serving } from "./serving.ts";
import { standingEnd } from "./standing-end.ts";

/** A ruling of a link or the terminal and how far it reaches. */
export interface Settlement {
  readonly ruling: Ruling;
  readonly scope: GrantScope;
  /** Sessions the answer passed, this one first; absent when it was made here. */
  readonly via?: readonly string[];
  /** Told once what became of it. */
  readonly settled?: (effect: RulingEffect, stands?: StandingEnd) => void;
  /** Entries that become durable with it, if it counts. */
  readonly entries?: readonly RecordDraft[];
}

/** Somebody an ask is put to; null when it is left open there or ended meanwhile. Never rejects. */
export type Stage = (serving: Serving, live: LiveAsk) => Promise<Settlement | null>;

/** Puts an ask to one stage after the other and ends it by the first that rules. */
export async function settleByFirst(
  serving: Serving,
  live: LiveAsk,
  stages: readonly Stage[],
): Promise<void> {
  for (const stage of stages) {
    const answer = await stage(serving, live);
    if (answer !== null) return settle(serving, live, answer);
  }
}

/** Puts an ask to the links. */
export async function askChain(serving: Serving, live: LiveAsk): Promise<Settlement | null> {
  if (live.state !== "authorizer") return null;
  let ruling: Ruling | null;
  try {
    ruling = await serving.chain.ask(live);
  } catch (error) {
    ruling = gateError(serving, live, { what: "the chain of links of the parent failed", error });
  }
  if (ruling === null) {
    live.state = nextState(live.state, "deferred") ?? live.state;
    live.heldBy = { kind: "human" };
  }
  return ruling === null ? null : { ruling, scope: "once" };
}

/** Puts an ask to the terminal, as often as its child comes back. */
export async function askTerminal(serving: Serving, live: LiveAsk): Promise<Settlement | null> {
  let isLate = false;
  while (live.state === "human") {
    if (serving.children.isGone(live)) {
      await serving.children.back(live, live.abort.signal);
      if (!isUndecided(live.state)) return null;
    }
    const answer = await putToTerminal(serving, live, isLate);
    if (answer !== null) return answer;
    isLate = true;
  }
  return null;
}

/** Null when it was taken back because nothing is heard of its child. */
async function putToTerminal(
  serving: Serving,
  live: LiveAsk,
  isLate: boolean,
): Promise<Settlement | null> {
  const { signal } = live.abort;
  const ahead = serving.atTerminal.size;
  serving.atTerminal.add(live.requestId);
  if (isLate || ahead > 0 || !serving.chain.isEmpty()) sendProgress(serving, live, ahead);
  let settlement: Settlement;
  let isRuled = false;
  try {
    const answering = serving.terminal.decide(terminalAsk(serving, live), signal);
    live.rest();
    const answer = await answering;
    isRuled = answer.kind === "ruled";
    settlement = read(serving, live, answer);
  } catch (error) {
    if (isLeft(signal)) return leave(serving, live);
    const what = "the terminal of the parent failed";
    return { ruling: gateError(serving, live, { what, error }), scope: "once" };
  }
  return isLeft(signal) && !isRuled ? leave(serving, live) : settlement;
}

function terminalAsk(serving: Serving, live: LiveAsk): TerminalAsk {
  return {
    get details() {
      return live.details;
    },
    expiresAt: live.deadlineAt,
    reprompt: live.reprompt,
    presented: () => guarded(serving, "noting a prompt", () => present(serving, live)),
  };
}

const isLeft = ({ aborted, reason }: AbortSignal): boolean => aborted && reason === CHILD_GONE;

/** Notes that an ask is no longer before anybody; when its child is back it is put once more. */
function leave(serving: Serving, live: LiveAsk): null {
  serving.atTerminal.delete(live.requestId);
  if (live.onScreen) live.reprompt += 1;
  live.onScreen = false;
  return null;
}

/** Ends an ask by a ruling. One that comes after the ask's end changes nothing; a person's is recorded as late. */
export function settle(serving: Serving, live: LiveAsk, answer: Settlement): void {
  if (!isUndecided(live.state) || serving.live.get(live.requestId) !== live) {
    tellEnded(serving, live, answer);
    if (!isSomebodys(answer.ruling)) return;
    serving.ledger.soon((tx) => {
      tx.record(lateEntry(serving, live.requestId, live.state), serving.clock.now());
    });
    return;
  }
  const ruled = endingByRuling(serving, live, answer);
  const ending = { ...ruled, drafts: [...(answer.entries ?? []), ...ruled.drafts] };
  const ended = endLive(serving, live, ending);
  // Before the terminal hears of it and shows the next ask: the grant may answer that one.
  if (ending.grants.length > 0 && serving.rules.reloadGrants()) judgeWaitingAgain(serving);
  if (ended === "unwritten" && ending.allows) tellEffect(serving, answer, "unrecorded");
  else if (ended === "another") tellEnded(serving, live, answer);
  else tellEffect(serving, answer, "counted");
}

function tellEnded(serving: Serving, live: LiveAsk, answer: Settlement): void {
  if (answer.settled === undefined) return;
  guarded(serving, "telling the terminal which end stands", () => {
    const stands = standingEnd(serving, live.requestId);
    answer.settled?.("ended", ...(stands === null ? [] : [stands]));
  });
}

function tellEffect(serving: Serving, answer: Settlement, effect: RulingEffect): void {
  guarded(serving, "telling the terminal about its ruling", () => answer.settled?.(effect));
}

/** Notes that somebody really sees the ask: durable before the terminal goes on, since it may be answered then. */
function present(serving: Serving, live: LiveAsk): void {
  if (!isUndecided(live.state) || live.onScreen) return;
  live.onScreen = true;
  live.wasPresented = true;
  const prompt = { ...buildUiPrompt(live.details, live.reprompt) };
  const { draft } = serving;
  const shown = { reprompt: live.reprompt };
  const drafts = [
    askEntry(draft, "forwarded_permission.prompted", live.ask, shown),
    draft("ui_prompt", live.requestId, prompt),
  ];
  const note = (tx: JournalWrites): void => {
    tx.countPresented(live.requestId);
    for (const one of drafts) tx.record(one, serving.clock.now());
  };
  if (!serving.ledger.commit(note).kept) serving.ledger.owe(note);
  sendProgress(serving, live, 0);
  serving.tell("ui_prompt", prompt);
}

function read(serving: Serving, live: LiveAsk, answer: TerminalAnswer): Settlement {
  if (answer.kind === "unavailable") {
    const decidedBy = { kind: "unavailable", reason: answer.reason, at: serving.session } as const;
    return { ruling: { approved: false, state: "denied", decidedBy }, scope: "once" };
  }
  const ruling = soundRuling(answer.ruling);
  const { scope, settled } = answer;
  if (ruling !== null) return { ruling, scope, ...(settled === undefined ? {} : { settled }) };
  const what = "the terminal of the parent gave an answer that contradicts itself";
  return { ruling: gateError(serving, live, { what, error: answer.kind }), scope: "once" };
}

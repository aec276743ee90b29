import type { Ruling } from "../ask/decision.ts";
import type { GrantScope, RulingEffect, TerminalAnswer } from "../ask/ports.ts";
import { buildUiPrompt } from "../render/live-events.ts";
import { judgeWaitingAgain } from "./answer-by-rules.ts";
import { endLive, lateEntry } from "./end-ask.ts";
import { endingByRuling } from "./ending-by-ruling.ts";
import { askEntry } from "./records.ts";
import { gateError, soundRuling } from "./ruling.ts";
import { sendProgress } from "./send.ts";
import { isUndecided, nextState } from "./served-state.ts";
import type { LiveAsk, Serving } from "./serving.ts";

/** A ruling of a link or the terminal and how far it reaches. */
export interface Settlement {
  readonly ruling: Ruling;
  readonly scope: GrantScope;
  /** Told once what became of it. */
  readonly settled?: (effect: RulingEffect) => void;
}

/** Puts an ask to the links; null when they leave it open or it ended meanwhile. Never rejects. */
export async function askChain(serving: Serving, live: LiveAsk): Promise<Ruling | null> {
  if (live.state !== "authorizer") return null;
  let ruling: Ruling | null;
  try {
    ruling = await serving.chain(live);
  } catch (error) {
    ruling = gateError(serving, live, { what: "the chain of links of the parent failed", error });
  }
  if (ruling === null) {
    live.state = nextState(live.state, "deferred") ?? live.state;
    live.heldBy = { kind: "human" };
  }
  return ruling;
}

/** Puts an ask to the terminal; null when it ended before that. Never rejects. */
export async function askTerminal(serving: Serving, live: LiveAsk): Promise<Settlement | null> {
  if (live.state !== "human") return null;
  const ahead = [...serving.live.values()].filter((other) => other.state === "human").length - 1;
  if (serving.hasLinks || ahead > 0) sendProgress(serving, live, ahead);
  try {
    const answer = await serving.terminal.decide(
      {
        details: live.details,
        expiresAt: live.deadlineAt,
        reprompt: live.reprompt,
        presented: () => present(serving, live),
      },
      live.abort.signal,
    );
    return read(serving, live, answer);
  } catch (error) {
    const what = "the terminal of the parent failed";
    return { ruling: gateError(serving, live, { what, error }), scope: "once" };
  }
}

/** Ends an ask by a ruling. One that comes after the ask's end changes nothing; a person's is recorded as late. */
export function settle(serving: Serving, live: LiveAsk, answer: Settlement): void {
  if (!isUndecided(live.state) || serving.live.get(live.ask.id) !== live) {
    tellEffect(serving, answer, "ended");
    if (answer.ruling.decidedBy.kind !== "user") return;
    serving.ledger.soon((tx) => {
      tx.record(lateEntry(serving, live.ask.id, live.state), serving.clock.now());
    });
    return;
  }
  const ending = endingByRuling(serving, live, answer);
  const ended = endLive(serving, live, ending);
  if (ended === "unwritten" && ending.allows) tellEffect(serving, answer, "unrecorded");
  else tellEffect(serving, answer, ended === "another" ? "ended" : "counted");
  if (ending.grants.length > 0 && serving.rules.reloadGrants()) judgeWaitingAgain(serving);
}

function tellEffect(serving: Serving, answer: Settlement, effect: RulingEffect): void {
  try {
    answer.settled?.(effect);
  } catch (error) {
    serving.log.error({ err: error }, "the terminal failed when it was told about its ruling");
  }
}

/** Notes that somebody really sees the ask. Must not throw: the terminal calls it while it draws. */
function present(serving: Serving, live: LiveAsk): void {
  if (!isUndecided(live.state) || live.onScreen) return;
  live.onScreen = true;
  live.wasPresented = true;
  const prompt = { ...buildUiPrompt(live.details, live.reprompt) };
  const drafts = [
    askEntry(serving.draft, "forwarded_permission.prompted", live.ask, {
      reprompt: live.reprompt,
    }),
    serving.draft("ui_prompt", live.ask.id, prompt),
  ];
  const kept = serving.ledger.commit((tx) => {
    tx.countPresented(live.ask.id);
    for (const draft of drafts) tx.record(draft, serving.clock.now());
  });
  if (!kept.kept) {
    serving.ledger.owe((tx) => {
      for (const draft of drafts) tx.record(draft, serving.clock.now());
    });
  }
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
